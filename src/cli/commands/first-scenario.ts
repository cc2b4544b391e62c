/** The texts that `straightedge init` writes: a first scenario of a class or factory, and a test of it. Both compile as they are. */
import { basename } from 'node:path';
import { UsageError } from '../../config/usage-error.js';
import { type ExportedObject, exportedObjects, type Method, type ReadImport } from './exported-objects.js';
import { methodsOfType, Samples, typeOf, UNKNOWN_VALUE } from './sample-values.js';

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
