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
export function firstScenario(
  file: string,
  text: string,
  className?: string,
  runner: Runner = 'vitest',
): FirstScenario {
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
    test: `${isSynchronous ? PLUGIN : ''}import { testScenario } from 'straightedge/${runner}';
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
  const statements = program.body as unknown as readonly Syntax[];
  const declarations = statements.map((one) => (one.declaration as Syntax | null | undefined) ?? one);
  const types: Types = new Map(
    declarations
      .filter(({ type }) => type === 'TSTypeAliasDeclaration')
      .map(({ id, typeAnnotation }) => [(id as { name: string }).name, typeAnnotation as Syntax]),
  );
  for (const statement of statements) {
    const isDefault = statement.type === 'ExportDefaultDeclaration';
    if (!isDefault && statement.type !== 'ExportNamedDeclaration') continue;
    const declared = statement.declaration as Syntax | null;
    if (declared?.type !== 'ClassDeclaration') continue;
    const methods = methodsOf(declared, declarations);
    const declaredConstructor = methods.find(({ kind }) => kind === 'constructor');
    const members = methods.filter(isPublic).map((method) => ({
      name: (method.key as { name: string }).name,
      args: requiredParameters(method).map((parameter) => sampleArgument(parameter, types, text)),
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

/** The methods of a class and, after them, those that it inherits from classes in the same file. */
function methodsOf(own: Syntax, declarations: readonly Syntax[]): Syntax[] {
  const { body } = own.body as { body: readonly Syntax[] };
  const methods = body.filter(
    ({ type, kind }) => type === 'MethodDefinition' && kind !== 'get' && kind !== 'set',
  );
  const nameOf = ({ key }: Syntax) => (key as { name?: string }).name;
  const names = methods.map(nameOf);
  const superName = (own.superClass as { name?: string } | null)?.name;
  const base = declarations.find(
    ({ type, id }) => type === 'ClassDeclaration' && (id as { name?: string } | null)?.name === superName,
  );
  const others = declarations.filter((one) => one !== base);
  const inherited = superName === undefined || !base || base === own ? [] : methodsOf(base, others);
  return [...methods, ...inherited.filter((method) => !names.includes(nameOf(method)))];
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

function sampleArgument(parameter: Syntax, types: Types, text: string): string {
  const annotation = (parameter.typeAnnotation as { typeAnnotation?: Syntax } | null | undefined)
    ?.typeAnnotation;
  return sampleOf(annotation, types, text);
}

/** Types that the file declares, by name. */
type Types = ReadonlyMap<string, Syntax>;

/** A value of a type: a literal of a union, a callback that returns a value, or a sample of a plain type. */
function sampleOf(type: Syntax | undefined, types: Types, text: string): string {
  if (type?.type === 'TSTypeReference') {
    const declared = types.get((type.typeName as { name?: string }).name ?? '');
    if (declared) return sampleOf(declared, new Map(), text);
  }
  if (type?.type === 'TSParenthesizedType') return sampleOf(type.typeAnnotation as Syntax, types, text);
  if (type?.type === 'TSUnionType') return sampleOf((type.types as readonly Syntax[])[0], types, text);
  if (type?.type === 'TSLiteralType') return text.slice(type.start as number, type.end as number);
  if (type?.type === 'TSArrayType') return '[]';
  if (type?.type === 'TSFunctionType') return callbackOf(type, types, text);
  return ARGUMENTS[type?.type ?? ''] ?? '1';
}

function callbackOf({ returnType }: Syntax, types: Types, text: string): string {
  const result = (returnType as { typeAnnotation?: Syntax } | null)?.typeAnnotation;
  const name = (result?.typeName as { name?: string } | undefined)?.name;
  const [awaited] = (result?.typeArguments as { params?: readonly Syntax[] } | undefined)?.params ?? [];
  const isPromise = name === 'Promise';
  const value = isPromise ? awaited : result;
  const isEmpty = value === undefined || /^TS(Void|Undefined)Keyword$/.test(value.type);
  const sample = isEmpty ? '{}' : sampleOf(value, types, text);
  // otherwise the result of the callback has the type of all texts, or of all numbers
  const isLiteral = !isEmpty && !value.type.endsWith('Keyword') && /^['"\d-]/.test(sample);
  return `${isPromise ? 'async ' : ''}() => ${sample}${isLiteral ? ' as const' : ''}`;
}
