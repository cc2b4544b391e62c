/** `straightedge init`: a kit or a first scenario of a class or factory, and a test of it. Both compile as they are. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { expectExisting, UsageError } from '../../config/usage-error.js';
import { expectNoHistory } from '../common/files.js';
import type { Terminal } from '../common/terminal.js';
import {
  type ExportedFunction,
  type ExportedObject,
  exportedFunctions,
  exportedObjects,
  type Method,
  type ReadImport,
} from '../init/exported-objects.js';
import { type KitProposal, kitText, proposedFunctionKit, proposedKit } from '../init/proposed-kit.js';
import { isCallbackStyle, methodsText, Samples, typeOf, UNKNOWN_VALUE } from '../init/sample-values.js';
import { createText } from '../init/stubs.js';

const DETAILS = `
Examples:
  npx straightedge init src/queue.ts              writes src/queue.scenario.ts and src/queue.test.ts
  npx straightedge init src/queues.ts --class Queue
  npx straightedge init async-mutex               writes async-mutex.scenario.js and async-mutex.test.js

Existing files are not overwritten.

Exit codes: 0 written, 2 invalid input, 70 unexpected error`;

export function define(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'source file of the class or factory, or an installed package')
    .optionsGroup('Scenario:')
    .option('--class <name>', 'use this class or factory (default: the first that is exported)')
    .option('--no-kit', 'write calls, also if a kit fits the class')
    .addHelpText('after', DETAILS)
    .action((file, flags) => init(file, flags, terminal));
}

const KITS = 'node_modules/straightedge/docs/guide/kits.md';
/** The most other classes that are named. */
const MOST_NAMED = 8;

interface Flags {
  readonly class?: string | undefined;
  readonly kit: boolean;
}

function init(given: string, flags: Flags, { stdout }: Terminal): void {
  const homes = existsSync(given) ? [] : packageFolders(given, process.cwd());
  const installed = homes.map(packageTypes).find((types) => types !== undefined);
  const file = installed ?? given;
  if (installed === undefined && homes.length > 0)
    throw new UsageError(
      `the package ${given} declares no types, so init cannot read it; write the adapter by hand (${KITS})`,
    );
  expectExisting(file, 'source file, or a package with types');
  expectNoHistory(file);
  const name = installed ? given.replace(/^@[^/]*\//, '') : file.replace(/\.[cm]?[jt]sx?$/, '');
  const isTyped = installed ? existsSync('tsconfig.json') : /\.[cm]?ts?x?$/.test(file);
  const first = firstScenario(file, readFileSync(file, 'utf8'), {
    className: flags.class,
    runner: runnerOf(installed ? process.cwd() : dirname(resolve(file))),
    read: readImport,
    hasKits: flags.kit,
    ...(installed && { packageName: given, isTyped }),
  });
  const ending = isTyped ? 'ts' : 'js';
  const scenarioFile = `${name}.scenario.${ending}`;
  const files = [[scenarioFile, first.scenario] as const, [`${name}.test.${ending}`, first.test] as const];
  for (const [path] of files)
    if (existsSync(path)) throw new UsageError(`${path} exists and is not overwritten; delete it first`);
  for (const [path, text] of files) {
    writeFileSync(path, text);
    stdout.write(`wrote ${path}\n`);
  }
  if (first.otherClasses.length > 0)
    stdout.write(
      `for ${first.className}, the first in the file; for another one: --class ${first.otherClasses.slice(0, MOST_NAMED).join(' or --class ')}\n`,
    );
  if (first.kit !== undefined)
    stdout.write(`${first.kit} fits it; for calls of your choice instead: --no-kit\n`);
  if (first.isSynchronous)
    stdout.write(
      `all methods of ${first.className} are synchronous: their calls cannot overlap on one event loop. The scenario explores them as threads over shared memory; if no threads share the object, there is nothing to explore\n`,
    );
  stdout.write(
    `${first.isUnfinished ? 'Fill in the arguments and check' : 'Check'} the calls in ${scenarioFile}, then run: npx straightedge explore ${scenarioFile}\n`,
  );
}

/** Where a package and its types are installed, the nearest first. */
function packageFolders(name: string, from: string): string[] {
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(name)) return [];
  const own = [name, `@types/${name.replace(/^@(.+)\//, '$1__')}`]
    .map((one) => join(from, 'node_modules', one))
    .filter((home) => existsSync(join(home, 'package.json')));
  return dirname(from) === from ? own : [...own, ...packageFolders(name, dirname(from))];
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** The declarations of an installed package, as its package.json names them; undefined if there are none. */
function packageTypes(home: string): string | undefined {
  const types = typesIn(readFileSync(join(home, 'package.json'), 'utf8')) ?? 'index.d.ts';
  const files = [types, `${types}.d.ts`, join(types, 'index.d.ts'), 'index.d.ts'].map((one) =>
    join(home, one),
  );
  const found = files.find(isFile);
  return found && relative('.', found);
}

/** The path of the declarations in a manifest. */
function typesIn(manifest: string): string | undefined {
  const { types, typings, main, exports } = JSON.parse(manifest) as Readonly<Record<string, unknown>>;
  const found = (value: unknown): unknown => {
    const {
      types: own,
      import: esm,
      require: cjs,
      default: other,
      '.': root,
    } = Object(value) as Record<string, unknown>;
    return own === undefined
      ? [root, esm, other, cjs].map((one) => one && found(one)).find(Boolean)
      : (found(own) ?? own);
  };
  const beside = typeof main === 'string' ? main.replace(/(\.js)?$/, '.d.ts') : undefined;
  const path = types ?? typings ?? found(exports) ?? beside;
  return typeof path === 'string' ? path : undefined;
}

/** A file that another one imports by a relative path: a source file may stand for the compiled one. */
const readImport: ReadImport = (from, specifier) => {
  const path = join(dirname(from), specifier);
  const name = path.replace(/\.[cm]?[jt]sx?$/, '');
  const endings = ['.ts', '.d.ts', '.tsx', '.mts', '.d.mts', '.cts', '.js', '.mjs', '/index.d.ts'];
  const paths = [path, ...endings.map((ending) => name + ending)];
  const file = paths.find(isFile);
  return file === undefined ? undefined : { file, text: readFileSync(file, 'utf8') };
};

/** The test runner that the nearest package.json names. */
function runnerOf(folder: string): Runner {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return dirname(folder) === folder ? runnerIn('{}') : runnerOf(dirname(folder));
  try {
    return runnerIn(readFileSync(path, 'utf8'));
  } catch {
    throw new UsageError(`${path} is not valid JSON; expected the manifest of the project`);
  }
}

export interface FirstScenario {
  readonly scenario: string;
  readonly test: string;
  /** Whether the user must fill in arguments. */
  readonly isUnfinished: boolean;
  readonly className: string;
  /** The kit that it uses. */
  readonly kit?: string;
  /** Can no two calls overlap on one event loop? */
  readonly isSynchronous: boolean;
  /** If no class was named: the other exported classes and factories. */
  readonly otherClasses: readonly string[];
}

/** The test runner of a project, as the entry point of this package is named. */
export type Runner = 'vitest' | 'jest' | 'node-test';

/** The runner of a project by the text of its package.json: a dependency, or the script `test`. */
export function runnerIn(manifest: string): Runner {
  const { dependencies, devDependencies, scripts } = JSON.parse(manifest) as Readonly<
    Record<'dependencies' | 'devDependencies' | 'scripts', Readonly<Record<string, string>> | undefined>
  >;
  const packages = { ...dependencies, ...devDependencies };
  if ('vitest' in packages) return 'vitest';
  if ('jest' in packages) return 'jest';
  return /\bnode\b.*--test\b/.test(scripts?.test ?? '') ? 'node-test' : 'vitest';
}

interface Options {
  readonly className?: string | undefined;
  readonly runner?: Runner;
  readonly read?: ReadImport;
  /** Is a kit used that fits the class? */
  readonly hasKits?: boolean;
  /** Is the scenario written in TypeScript? Default: if the file is. */
  readonly isTyped?: boolean;
  /** The package whose declarations the file has. */
  readonly packageName?: string;
}

/** Writes the scenario of the first class or factory, or of the one with this name. */
export function firstScenario(
  file: string,
  text: string,
  {
    className,
    runner = 'vitest',
    read = () => undefined,
    hasKits = false,
    packageName,
    isTyped = /\.[cm]?tsx?$/.test(file),
  }: Options = {},
): FirstScenario {
  const objects = exportedObjects(file, text, read);
  const base = packageName?.replace(/^@[^/]*\//, '') ?? basename(file).replace(/\.[cm]?[jt]sx?$/, '');
  const extension = /\.([cm])[jt]s$/.exec(file)?.[1] ?? '';
  const path = packageName ?? `./${base}.${extension}js`;
  const proposed = hasKits
    ? kitFor([...objects, ...exportedFunctions(file, text, read)], className, isTyped)
    : undefined;
  if (proposed) {
    const { subject, proposal } = proposed;
    const others = objects.map(({ name }) => name).filter((name) => name !== subject.name);
    const scenario = kitText(subject, proposal, path);
    return {
      scenario,
      test: testText(`${subject.name} keeps its guarantees`, base, runner),
      isUnfinished: scenario.includes(UNKNOWN_VALUE),
      className: subject.name,
      otherClasses: className === undefined ? others : [],
      kit: proposal.kit,
      isSynchronous: false,
    };
  }
  const names = objects.map(({ name }) => name);
  if (objects.length === 0)
    throw new UsageError(
      `${file} exports no class with public methods and no function that returns an object; expected \`export class Queue { … }\`. For a common kind of object, write the adapter of its kit by hand (${KITS}); for other code, the scenario (node_modules/straightedge/docs/guide/exploring.md)`,
    );
  const found = className === undefined ? objects[0] : objects.find(({ name }) => name === className);
  if (found === undefined)
    throw new UsageError(
      `${file} exports no class ${className} with public methods; expected ${names.join(' or ')}`,
    );
  const { scenario, isUnfinished, isSynchronous } = scenarioText(found, path, isTyped);
  return {
    isUnfinished,
    isSynchronous,
    className: found.name,
    otherClasses: className === undefined ? names.filter((name) => name !== found.name) : [],
    scenario,
    test: `${isSynchronous ? PLUGIN : ''}${testText(`${found.name} is linearizable`, base, runner)}`,
  };
}

const testText = (title: string, base: string, runner: Runner): string =>
  `import { testScenario } from 'straightedge/${runner}';
import scenario from './${base}.scenario.js';

testScenario('${title}', scenario, { timeout: '10s' });
`;

/** The first class or function, or the named one, with the kit that fits it. */
function kitFor(
  subjects: readonly (ExportedObject | ExportedFunction)[],
  className: string | undefined,
  isTyped: boolean,
): { readonly subject: ExportedFunction; readonly proposal: KitProposal } | undefined {
  for (const subject of subjects) {
    if (className !== undefined && subject.name !== className) continue;
    const samples = new Samples(isTyped);
    const proposal = 'methods' in subject ? proposedKit(subject, samples) : proposedFunctionKit(subject);
    // what the samples import from the file would need more imports
    if (proposal && samples.imports.size === 0) return { subject, proposal };
  }
  return undefined;
}

/** Synchronous calls interleave only on threads. */
const THREADS = `  // all methods are synchronous, so calls cannot overlap on one event loop;
  // this explores them as threads over shared memory. If no threads share the object, there is nothing to explore
  backend: 'instrumented',
`;
const PLUGIN = `// needs the plugin instrument() of straightedge/explore in vitest.config.ts
`;

function scenarioText(
  object: ExportedObject,
  path: string,
  isTyped: boolean,
): { scenario: string; isUnfinished: boolean; isSynchronous: boolean } {
  const { name, isDefault, methods } = object;
  const samples = new Samples(isTyped);
  const wrapped = methods.filter(isCallbackStyle);
  const isSynchronous = wrapped.length === 0 && !methods.some((one) => one.isAsynchronous);
  const calls = callsOf(methods, samples, isSynchronous);
  const { store, create } = createText(object, samples);
  const imported = [...(isDefault ? [] : [name]), ...samples.imports].sort();
  const clause = [
    ...(isDefault ? [name] : []),
    ...(imported.length > 0 ? [`{ ${imported.join(', ')} }`] : []),
  ];
  const usesResult = calls.some((call) => call.includes('result('));
  const scenario = `import { ${usesResult ? 'result, ' : ''}scenario } from 'straightedge';
import ${clause.join(', ')} from '${path}';

${store}export default scenario({
  name: '${name}',
${create}${wrapped.length > 0 ? methodsText(wrapped, samples) : ''}  // calls that threads make concurrently
  calls: [
${calls.map((call) => `    ${call},\n`).join('')}  ],
  threads: 2,
  callsPerThread: 2,
${isSynchronous ? THREADS : ''}});
`;
  return { scenario, isUnfinished: scenario.includes(UNKNOWN_VALUE), isSynchronous };
}

/** The calls as texts. Calls that use the result of another call are kept together with it. */
function callsOf(methods: readonly Method[], samples: Samples, isSynchronous: boolean): string[] {
  const callOf = (method: Method): string => {
    const args = isCallbackStyle(method)
      ? []
      : method.parameters.map((parameter) => samples.of(typeOf(parameter), method.types));
    return `[${[`'${method.name}'`, ...args].join(', ')}]`;
  };
  if (isSynchronous) return methods.map(callOf);
  const takerOf = new Map(
    methods.flatMap((give) => {
      const taker = methods.find((take) => take !== give && samples.isGiven(take, give));
      return taker && !isCallbackStyle(give) ? [[give, taker] as const] : [];
    }),
  );
  return methods.flatMap((method) => {
    if (takerOf.has(method)) return [];
    const own = callOf(method);
    const givers = methods.filter((give) => takerOf.get(give) === method);
    const ends = givers.map((give) => {
      const args = give.parameters.map((parameter) =>
        samples.isResult(method, parameter)
          ? `result('${method.name}')`
          : samples.of(typeOf(parameter), give.types),
      );
      return `[${[`'${give.name}'`, ...args].join(', ')}]`;
    });
    const handle = ends.length === 0 ? samples.handleOf(method) : undefined;
    if (handle !== undefined) ends.push(`[result('${method.name}')${handle === '' ? '' : `, '${handle}'`}]`);
    return ends.length === 0 ? [own] : ends.map((end) => `[${own}, ${end}]`);
  });
}
