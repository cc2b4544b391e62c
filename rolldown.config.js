/**
 * What is shipped: a file for each name that package.json exports, imports or runs, and what they share
 * in `dist/shared`. Three hundred small modules, loaded one by one in each thread, would double the time
 * of a short command.
 *
 * A room is imported through its door, `index.ts`. To a bundler whoever goes through a door needs all that is
 * behind it: a check would load the explorers too. So imports are led past the doors to the files that they mean.
 */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { defineConfig } from 'rolldown';

const { exports, imports, bin, dependencies, peerDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const entries = [exports, imports, bin]
  .flatMap((names) => Object.values(names))
  .flatMap((path) => /^\.\/dist\/(.*)\.js$/.exec(path)?.[1] ?? []);

const THROUGH_A_DOOR = /^import \{([^}]*)\} from '(\.[^']*\/index)\.js';/gm;
const HANDED_OUT = /^export \{([^}]*)\} from '([^']+)';/gm;
const namesIn = (list) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));

/** Door to what it hands out: a name to the file, and to its name there. */
const doors = new Map();
function behind(door) {
  if (!doors.has(door)) {
    const found = readFileSync(door, 'utf8').matchAll(HANDED_OUT);
    const names = [...found].flatMap(([, list, file]) =>
      namesIn(list).map((name) => {
        const [own, outside = own] = name.split(' as ');
        return [outside, { file: resolve(dirname(door), file), own }];
      }),
    );
    doors.set(door, new Map(names));
  }
  return doors.get(door);
}

const pastTheDoors = {
  name: 'past the doors',
  transform(code, importer) {
    return code.replace(THROUGH_A_DOOR, (_, list, path) => {
      const door = `${resolve(dirname(importer), path)}.ts`;
      const imports = namesIn(list).map((name) => {
        const [outside, here = outside] = name.split(' as ');
        const { file, own } = behind(door).get(outside) ?? { file: door, own: outside };
        return `import { ${own} as ${here} } from './${relative(dirname(importer), file)}';`;
      });
      return imports.join(' ');
    });
  },
};

export default defineConfig({
  plugins: [pastTheDoors],
  input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
  platform: 'node',
  external: [/^node:/, ...Object.keys({ ...dependencies, ...peerDependencies })],
  output: { dir: 'dist', entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
});
