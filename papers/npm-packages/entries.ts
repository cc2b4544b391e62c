/** The entries of the survey: which package, which kit, how it is called, and what was judged. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const SURVEY = 'papers/npm-packages/survey';

/** What reading the source of the package showed about a broken guarantee. */
type Judgement =
  /** The package breaks its promise: `<name>.md` in `defects` has the promise, a plain program and a draft report. */
  | { readonly defect: string }
  /** The package says that it does so; its words. */
  | { readonly documented: string }
  /** The kit, the adapter or the tool is wrong. */
  | { readonly ours: string };

export interface Entry {
  /** Modules to import; the adapter gets them in this order. The last one is of the package. */
  readonly from: string | readonly string[];
  /** A kit, and what makes its adapter; or else a scenario file beside the entries. */
  readonly kit?: string;
  readonly adapter?: (...modules: never[]) => object;
  readonly file?: string;
  /** Broken guarantees, in the words of the kit, or the name of the scenario in the file. */
  readonly violations?: Readonly<Record<string, Judgement>>;
}

/** Where an entry is: the folder of its kind, and its name. */
export interface Place {
  readonly folder: string;
  readonly kind: string;
  readonly name: string;
}

export const kindsIn = (folder: string): string[] =>
  readdirSync(folder).filter((kind) => existsSync(join(folder, kind, 'entries.js')));

export async function entriesOf(folder: string, kind: string): Promise<Readonly<Record<string, Entry>>> {
  const url = pathToFileURL(resolve(folder, kind, 'entries.js')).href;
  return ((await import(url)) as { entries: Readonly<Record<string, Entry>> }).entries;
}

export async function placesIn(folder: string): Promise<Place[]> {
  const places: Place[] = [];
  for (const kind of kindsIn(folder))
    for (const name of Object.keys(await entriesOf(folder, kind))) places.push({ folder, kind, name });
  return places;
}

const modulesOf = ({ from }: Entry): readonly string[] => [from].flat();

/** The packages that it imports, by name: `@scope/name` of `@scope/name/part`. */
export const packagesOf = (entry: Entry): string[] =>
  modulesOf(entry)
    .filter((module) => !module.startsWith('.'))
    .map((module) => /^(@[^/]+\/)?[^/]+/.exec(module)![0]);

/** The package that is explored. */
export const packageOf = (entry: Entry): string => packagesOf(entry).at(-1)!;

/** The file that `straightedge explore` takes. */
export const scenarioFile = (name: string, { file }: Entry): string =>
  file ?? `${name.replaceAll('/', '-')}.scenario.js`;

/** The text of that file. */
export function scenarioText(name: string, entry: Entry): string {
  const { kit } = entry;
  const modules = modulesOf(entry);
  return [
    `import { ${kit} } from 'straightedge/kits';`,
    ...modules.map((module, i) => `import * as module${i} from '${module}';`),
    `import { entries } from './entries.js';`,
    '',
    `const { adapter } = entries['${name}'];`,
    `const made = adapter(${modules.map((_, i) => `module${i}`).join(', ')});`,
    `export default ${kit}({ name: '${name}', ...made });`,
    '',
  ].join('\n');
}
