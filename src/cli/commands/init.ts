/** `straightedge init`: a first scenario of a class or factory, and a test of it. Both compile as they are. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { expectWholeFile, UsageError } from '../../config/usage-error.js';
import { expectNoHistory } from '../common/files.js';
import type { Terminal } from '../common/terminal.js';
import { type ExportedObject, exportedObjects, type Method, type ReadImport } from './exported-objects.js';

import { methodsOfType, Samples, typeOf, UNKNOWN_VALUE } from './sample-values.js';

const DETAILS = `
Examples:
  npx straightedge init src/queue.ts              writes src/queue.scenario.ts and src/queue.test.ts
  npx straightedge init src/queues.ts --class Queue

Existing files are not overwritten.

Exit codes: 0 written, 2 invalid input, 70 unexpected error`;

export function define(command: Command, terminal: Terminal): void {
  command
    .argument('<file>', 'source file of the class or factory')
    .option('--class <name>', 'use this class or factory (default: the first that is exported)')
    .addHelpText('after', DETAILS)
    .action((file, flags) => init(file, flags.class, terminal));
}

function init(file: string, className: string | undefined, { stdout }: Terminal): void {
  if (!existsSync(file)) throw new UsageError(`${file}: no such file`);
  expectWholeFile(file);
  expectNoHistory(file);
  const runner = runnerOf(dirname(resolve(file)));
  const first = firstScenario(file, readFileSync(file, 'utf8'), { className, runner, read: readImport });
  const name = file.replace(/\.[cm]?[jt]sx?$/, '');
  const ending = /\.[cm]?ts?x?$/.test(file) ? 'ts' : 'js';
  const scenarioFile = `${name}.scenario.${ending}`;
  const files = [
    [scenarioFile, first.scenario],
    [`${name}.test.${ending}`, first.test],
  ] as const;
  for (const [path] of files)
    if (existsSync(path)) throw new UsageError(`${path} exists and is not overwritten; delete it first`);
  for (const [path, text] of files) {
    writeFileSync(path, text);
    stdout.write(`wrote ${path}\n`);
  }
  if (first.otherClasses.length > 0)
    stdout.write(
      `for ${first.className}, the first in the file; for another one: --class ${first.otherClasses.join(' or --class ')}\n`,
    );
  const task = first.isUnfinished ? 'Fill in the arguments and check' : 'Check';
  stdout.write(`${task} the calls in ${scenarioFile}, then run: npx straightedge explore ${scenarioFile}\n`);
}

/** A file that another one imports by a relative path: a source file may stand for the compiled one. */
const readImport: ReadImport = (from, specifier) => {
  const path = join(dirname(from), specifier);
  const name = path.replace(/\.[cm]?jsx?$/, '');
  const paths = [path, ...['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs'].map((ending) => name + ending)];
  const file = paths.find((one) => existsSync(one) && statSync(one).isFile());
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
}

/** Writes the scenario of the first class or factory, or of the one with this name. */
export function firstScenario(
  file: string,
  text: string,
  { className, runner = 'vitest', read = () => undefined }: Options = {},
): FirstScenario {
  const objects = exportedObjects(file, text, read);
  const names = objects.map(({ name }) => name);
  if (objects.length === 0)
    throw new UsageError(
      `${file} exports no class with public methods and no function that returns an object; expected \`export class Queue { … }\`. For other code, write the scenario by hand (docs/guide/exploring.md)`,
    );
  const found = className === undefined ? objects[0] : objects.find(({ name }) => name === className);
  if (found === undefined)
    throw new UsageError(
      `${file} exports no class ${className} with public methods; expected ${names.join(' or ')}`,
    );
  const module = basename(file).replace(/\.[cm]?[jt]sx?$/, '');
  const extension = /\.([cm])[jt]s$/.exec(file)?.[1] ?? '';
  const isTyped = /\.[cm]?tsx?$/.test(file);
  const { scenario, isUnfinished, isSynchronous } = scenarioText(
    found,
    `./${module}.${extension}js`,
    isTyped,
  );
  return {
    isUnfinished,
    className: found.name,
    otherClasses: className === undefined ? names.filter((name) => name !== found.name) : [],
    scenario,
    test: `${isSynchronous ? PLUGIN : ''}import { testScenario } from 'straightedge/${runner}';
import scenario from './${module}.scenario.js';

testScenario('${found.name} is linearizable', scenario, { timeout: '10s' });
`,
  };
}

/** Synchronous calls interleave only on threads. */
const THREADS = `  // all methods are synchronous: explore their calls as threads over shared memory
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
  const create = createText(object, samples);
  const imported = [...(isDefault ? [] : [name]), ...samples.imports].sort();
  const clause = [
    ...(isDefault ? [name] : []),
    ...(imported.length > 0 ? [`{ ${imported.join(', ')} }`] : []),
  ];
  const usesResult = calls.some((call) => call.includes('result('));
  const scenario = `import { ${usesResult ? 'result, ' : ''}scenario } from 'straightedge';
import ${clause.join(', ')} from '${path}';

export default scenario({
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

/** `create`, and stubs for what the object is given that answers with promises. */
function createText({ maker, parameters, types }: ExportedObject, samples: Samples): string {
  const stubs = new Map<string, string>();
  const args = parameters.map((parameter) => {
    const own = methodsOfType(typeOf(parameter), types);
    const name = (parameter as { name?: string }).name;
    if (!own || own.length === 0 || !own.every((method) => method.isAsynchronous) || stubs.size > 0)
      return samples.of(typeOf(parameter), types);
    const isFunction = own.length === 1 && own[0].name === '';
    for (const method of own) stubs.set(isFunction ? (name ?? 'ask') : method.name, samples.answerOf(method));
    return isFunction ? `stubs.${name ?? 'ask'}` : 'stubs';
  });
  const created = `  // a new object for every run
  create: (${stubs.size > 0 ? 'stubs' : ''}) => ${maker}(${args.join(', ')}),
`;
  if (stubs.size === 0) return created;
  return `  // stand for something outside: they answer late, in any order, or fail
  stubs: {
${Array.from(stubs, ([name, text]) => `    ${name}: ${text},\n`).join('')}  },
${created}`;
}

/** Does it call its last argument with the result, as Node's own functions did before promises? */
function isCallbackStyle({ parameters, isAsynchronous, result }: Method): boolean {
  const last = parameters.at(-1);
  const type = last && typeOf(last);
  if (isAsynchronous || type?.type !== 'TSFunctionType') return false;
  const returnsNothing = result === undefined || /^TS(Void|Undefined)Keyword$/.test(result.type);
  const [first] = type.params as readonly { readonly name?: string }[];
  const isNamed = /^(cb|callback|done|next)$/i.test((last as { name?: string }).name ?? '');
  return returnsNothing && (isNamed || /^err(or)?$/i.test(first?.name ?? ''));
}

function methodsText(methods: readonly Method[], samples: Samples): string {
  const lines = methods.map(({ name, parameters, types }) => {
    const args = parameters.slice(0, -1).map((parameter) => samples.of(typeOf(parameter), types));
    const [first, second] = (typeOf(parameters.at(-1)!)?.params ?? []) as readonly {
      readonly name?: string;
    }[];
    const hasError = /^err(or)?$/i.test(first?.name ?? '');
    const value = hasError ? second : first;
    const settle = `resolve(${value ? 'value' : ''})`;
    const callback = hasError
      ? `(error${value ? ', value' : ''}) => (error ? reject(error) : ${settle})`
      : `(${value ? 'value' : ''}) => ${settle}`;
    const type = samples.isTyped ? (value ? '<unknown>' : '<void>') : '';
    return `    ${name}: (object) =>
      new Promise${type}((resolve${hasError ? ', reject' : ''}) => {
        object.${name}(${[...args, callback].join(', ')});
      }),
`;
  });
  return `  // callbacks become promises
  methods: {
${lines.join('')}  },
`;
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
