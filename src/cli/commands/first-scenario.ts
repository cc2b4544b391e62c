/** A first scenario of a class, and a test of it, as text: what `straightedge init` writes. Read from its source, which is not run. */
import { basename } from 'node:path';
import { parseSync } from 'oxc-parser';
import { UsageError } from '../../config/usage-error.js';

export interface FirstScenario {
  readonly scenario: string;
  readonly test: string;
  /** Is there something left to fill in, since the constructor has to be given something? */
  readonly isUnfinished: boolean;
  /** The class that it is of, and those that were not asked for and could have been. */
  readonly taken: string;
  readonly others: readonly string[];
}

/** As much of the tree of oxc-parser as is looked at. */
interface Syntax {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Member {
  readonly name: string;
  readonly args: readonly string[];
}

/** Of the first class, or of the one that is wanted. */
export function firstScenario(file: string, text: string, wanted?: string): FirstScenario {
  const module = basename(file).replace(/\.[cm]?[jt]sx?$/, '');
  const classes = classesIn(file, text);
  const names = classes.map(({ name }) => name);
  const found = wanted === undefined ? classes[0] : classes.find(({ name }) => name === wanted);
  if (found === undefined)
    throw new UsageError(`${file} exports no class ${wanted} with methods; there is ${names.join(', ')}`);
  const { name, members, isDefault, hasArguments } = found;
  const imported = isDefault ? name : `{ ${name} }`;
  const calls = members.map(({ name: method, args }) => `    [${[`'${method}'`, ...args].join(', ')}],\n`);
  const create = hasArguments ? `new ${name}(/* what it needs */)` : `new ${name}()`;
  return {
    isUnfinished: hasArguments,
    taken: name,
    others: wanted === undefined ? names.slice(1) : [],
    scenario: `import { scenario } from 'straightedge';
import ${imported} from ${inQuotes(`./${module}.js`)};

export default scenario({
  name: '${name}',
  // a fresh one for every run
  create: () => ${create},
  // what clients may call, at the same time
  calls: [
${calls.join('')}  ],
  threads: 2,
  callsPerThread: 2,
});
`,
    test: `import { holds } from 'straightedge/vitest';
import scenario from ${inQuotes(`./${module}.scenario.js`)};

holds('${name}, used by several at once', scenario, { timeout: '10s' });
`,
  };
}

const inQuotes = (text: string): string => `'${text}'`;

interface FoundClass {
  readonly name: string;
  readonly members: readonly Member[];
  readonly isDefault: boolean;
  readonly hasArguments: boolean;
}

function classesIn(file: string, text: string): FoundClass[] {
  const found: FoundClass[] = [];
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new UsageError(`${file} can not be read: ${errors[0].message}`);
  for (const statement of program.body as unknown as readonly Syntax[]) {
    const isDefault = statement.type === 'ExportDefaultDeclaration';
    if (!isDefault && statement.type !== 'ExportNamedDeclaration') continue;
    const declared = statement.declaration as Syntax | null;
    if (declared?.type !== 'ClassDeclaration') continue;
    const body = (declared.body as { body: readonly Syntax[] }).body;
    const methods = body.filter(
      ({ type, kind }) => type === 'MethodDefinition' && kind !== 'get' && kind !== 'set',
    );
    const making = methods.find(({ kind }) => kind === 'constructor');
    const members = methods.filter(isPublic).map((method) => ({
      name: (method.key as { name: string }).name,
      args: parametersOf(method).map(argumentFor),
    }));
    if (members.length === 0) continue;
    const name = (declared.id as { name: string } | null)?.name ?? 'Subject';
    const hasArguments = making !== undefined && parametersOf(making).length > 0;
    found.push({ name, members, isDefault, hasArguments });
  }
  if (found.length > 0) return found;
  throw new UsageError(
    `${file} exports no class with methods; expected one, such as \`export class Queue { … }\`. For anything else write the scenario by hand (docs/guide/exploring.md)`,
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

/** Those that have to be given. */
function parametersOf({ value }: Syntax): Syntax[] {
  const { params } = value as { params: readonly Syntax[] };
  return params.filter(
    ({ type, optional }) => type !== 'AssignmentPattern' && type !== 'RestElement' && optional !== true,
  );
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  TSStringKeyword: "'a'",
  TSBooleanKeyword: 'true',
  TSBigIntKeyword: '1n',
};

function argumentFor(parameter: Syntax): string {
  const annotation = (parameter.typeAnnotation as { typeAnnotation?: Syntax } | null | undefined)
    ?.typeAnnotation;
  return ARGUMENTS[annotation?.type ?? ''] ?? '1';
}
