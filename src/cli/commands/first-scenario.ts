/** The texts that `straightedge init` writes: a first scenario of a class and a test of it. The source of the class is parsed, not run. */
import { basename } from 'node:path';
import { parseSync } from 'oxc-parser';
import { UsageError } from '../../config/usage-error.js';

export interface FirstScenario {
  readonly scenario: string;
  readonly test: string;
  /** Whether the user must fill in the arguments of the constructor. */
  readonly isUnfinished: boolean;
  readonly className: string;
  /** If no class was named: the other exported classes. */
  readonly otherClasses: readonly string[];
}

/** A node of the syntax tree of oxc-parser. */
interface Syntax {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Member {
  readonly name: string;
  readonly args: readonly string[];
}

/** Writes the scenario of the first class, or of the class with this name. */
export function firstScenario(file: string, text: string, className?: string): FirstScenario {
  const module = basename(file).replace(/\.[cm]?[jt]sx?$/, '');
  const classes = classesIn(file, text);
  const names = classes.map(({ name }) => name);
  const found = className === undefined ? classes[0] : classes.find(({ name }) => name === className);
  if (found === undefined)
    throw new UsageError(
      `${file} exports no class ${className} with public methods; expected ${names.join(' or ')}`,
    );
  const { name, members, isDefault, hasArguments, isSynchronous } = found;
  const imported = isDefault ? name : `{ ${name} }`;
  const calls = members.map(({ name: method, args }) => `    [${[`'${method}'`, ...args].join(', ')}],\n`);
  const create = hasArguments ? `new ${name}(/* arguments */)` : `new ${name}()`;
  return {
    isUnfinished: hasArguments,
    className: name,
    otherClasses: className === undefined ? names.slice(1) : [],
    scenario: `import { scenario } from 'straightedge';
import ${imported} from './${module}.js';

export default scenario({
  name: '${name}',
  // a new object for every run
  create: () => ${create},
  // calls that threads make concurrently
  calls: [
${calls.join('')}  ],
  threads: 2,
  callsPerThread: 2,
${isSynchronous ? THREADS : ''}});
`,
    test: `${isSynchronous ? PLUGIN : ''}import { testScenario } from 'straightedge/vitest';
import scenario from './${module}.scenario.js';

testScenario('${name} is linearizable', scenario, { timeout: '10s' });
`,
  };
}

/** Synchronous calls interleave only on threads. */
const THREADS = `  // all methods are synchronous: explore their calls as threads over shared memory
  backend: 'instrumented',
`;
const PLUGIN = `// needs the plugin instrument() of straightedge/explore in vitest.config.ts
`;

interface FoundClass {
  readonly name: string;
  readonly members: readonly Member[];
  readonly isDefault: boolean;
  readonly hasArguments: boolean;
  /** Is no public method known to be asynchronous? */
  readonly isSynchronous: boolean;
}

function classesIn(file: string, text: string): FoundClass[] {
  const found: FoundClass[] = [];
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new UsageError(`cannot parse ${file}: ${errors[0].message}`);
  for (const statement of program.body as unknown as readonly Syntax[]) {
    const isDefault = statement.type === 'ExportDefaultDeclaration';
    if (!isDefault && statement.type !== 'ExportNamedDeclaration') continue;
    const declared = statement.declaration as Syntax | null;
    if (declared?.type !== 'ClassDeclaration') continue;
    const body = (declared.body as { body: readonly Syntax[] }).body;
    const methods = body.filter(
      ({ type, kind }) => type === 'MethodDefinition' && kind !== 'get' && kind !== 'set',
    );
    const declaredConstructor = methods.find(({ kind }) => kind === 'constructor');
    const members = methods.filter(isPublic).map((method) => ({
      name: (method.key as { name: string }).name,
      args: requiredParameters(method).map(sampleArgument),
    }));
    if (members.length === 0) continue;
    const name = (declared.id as { name: string } | null)?.name ?? 'Subject';
    const hasArguments =
      declaredConstructor !== undefined && requiredParameters(declaredConstructor).length > 0;
    const isSynchronous = !methods.filter(isPublic).some((method) => isAsynchronous(method, text));
    found.push({ name, members, isDefault, hasArguments, isSynchronous });
  }
  if (found.length > 0) return found;
  throw new UsageError(
    `${file} exports no class with public methods; expected \`export class Queue { … }\`. For other code, write the scenario by hand (docs/guide/exploring.md)`,
  );
}

function isPublic({ key, kind, static: isStatic, computed, accessibility }: Syntax): boolean {
  const isHidden = accessibility === 'private' || accessibility === 'protected';
  return (
    kind === 'method' &&
    isStatic !== true &&
    computed !== true &&
    !isHidden &&
    (key as Syntax).type === 'Identifier'
  );
}

/** An async method, or one whose text mentions promises. */
function isAsynchronous({ value, start, end }: Syntax, text: string): boolean {
  const own = text.slice(start as number, end as number);
  return (value as { async?: boolean }).async === true || /\bPromise|\.then\(/.test(own);
}

function requiredParameters({ value }: Syntax): Syntax[] {
  const { params } = value as { params: readonly Syntax[] };
  return params.filter(
    ({ type, optional }) => type !== 'AssignmentPattern' && type !== 'RestElement' && optional !== true,
  );
}

/** Sample arguments by type; any other type gets 1. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  TSStringKeyword: "'a'",
  TSBooleanKeyword: 'true',
  TSBigIntKeyword: '1n',
};

function sampleArgument(parameter: Syntax): string {
  const annotation = (parameter.typeAnnotation as { typeAnnotation?: Syntax } | null | undefined)
    ?.typeAnnotation;
  return ARGUMENTS[annotation?.type ?? ''] ?? '1';
}
