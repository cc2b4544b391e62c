/** What a source file exports that can be explored: classes, and functions that make objects, with their methods. The source is parsed, not run. */
import { parseSync } from 'oxc-parser';
import { UsageError } from '../../config/usage-error.js';
import {
  listOf,
  NO_PARAMETERS,
  nameOf,
  type Parameter,
  parametersOf,
  requiredOf,
  type Syntax,
} from './parameters.js';

export interface Method {
  readonly name: string;
  /** The parameters that a call must give. */
  readonly parameters: readonly Syntax[];
  /** What it returns or resolves to, if that is declared or visible: a type, a function, or an object literal. */
  readonly result: Syntax | undefined;
  readonly isAsynchronous: boolean;
  /** Where its types are declared. */
  readonly types: Types;
}

/** Types that a file declares, by name. */
export type Types = ReadonlyMap<string, Syntax>;

export interface ExportedObject {
  /** Of the class, or of the function that makes the object. */
  readonly name: string;
  readonly isDefault: boolean;
  /** How it is made: `new Pool`, `Pool.open` or `createPool`; and the parameters of that. */
  readonly maker: string;
  readonly parameters: readonly Syntax[];
  /** All of them, also those that may be left out. */
  readonly allParameters: readonly Parameter[];
  readonly methods: readonly Method[];
  readonly types: Types;
}

/** Returns the text of a file that another file imports; undefined if it cannot be read. */
export type ReadImport = (from: string, specifier: string) => { file: string; text: string } | undefined;

/** A function, as code. */
interface FunctionSyntax extends Syntax {
  readonly params: readonly Syntax[];
}

const isFunction = (node: unknown): node is FunctionSyntax =>
  /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration|TSDeclareFunction|TSEmptyBodyFunctionExpression|TSFunctionType)$/.test(
    (node as Syntax | null)?.type ?? '',
  );

/** A declaration, as a file exports it, and the file that declares it. */
interface Exported {
  readonly name: string;
  readonly node: Syntax;
  readonly isDefault: boolean;
  readonly module: Module;
}

/** A parsed file: its declarations by name, and what they are exported as. */
class Module {
  readonly declarations: ReadonlyMap<string, Syntax>;
  readonly exported: readonly Exported[];
  readonly #file: string;
  readonly #known: Map<string, readonly Exported[]>;
  readonly #imports: ReadonlyMap<string, string>;
  readonly #read: ReadImport;

  /** `known`: the files that were read before. */
  constructor(
    file: string,
    text: string,
    read: ReadImport,
    known: Map<string, readonly Exported[]> = new Map(),
  ) {
    this.#known = known;
    known.set(file, []);
    this.#file = file;
    this.#read = read;
    const { program, errors } = parseSync(file, text);
    if (errors.length > 0) throw new UsageError(`cannot parse ${file}: ${errors[0].message}`);
    const statements = program.body as unknown as readonly Syntax[];
    const declared = statements.flatMap((one) => declarationsIn((one.declaration as Syntax | null) ?? one));
    this.declarations = new Map(declared);
    this.#imports = new Map(
      statements
        .filter(({ type }) => type === 'ImportDeclaration')
        .flatMap(({ specifiers, source }) =>
          listOf(specifiers).map(
            ({ local }) => [nameOf(local)!, (source as { value: string }).value] as const,
          ),
        ),
    );
    this.exported = statements.flatMap((statement) => this.#exportsOf(statement));
    known.set(file, this.exported);
  }

  #exportsOf(statement: Syntax): Exported[] {
    const isAssigned = statement.type === 'TSExportAssignment';
    const declaration = (isAssigned ? statement.expression : statement.declaration) as
      | Syntax
      | null
      | undefined;
    if (isAssigned || statement.type === 'ExportDefaultDeclaration') {
      const found =
        declaration?.type === 'Identifier'
          ? this.find(nameOf(declaration)!)
          : declaration && { node: declaration, module: this as Module };
      const name =
        nameOf(declaration) ?? nameOf(found?.node.id) ?? (isFunction(found?.node) ? 'create' : 'Subject');
      return found ? [{ ...found, name, isDefault: true }] : [];
    }
    const source = (statement.source as { value?: string } | null | undefined)?.value;
    if (source !== undefined) return this.#reexportsOf(statement, source);
    if (statement.type !== 'ExportNamedDeclaration') return [];
    if (declaration)
      return declarationsIn(declaration).map(([name, node]) => ({
        name,
        node,
        isDefault: false,
        module: this,
      }));
    return listOf(statement.specifiers).flatMap(({ local, exported }) => {
      const found = this.find(nameOf(local) ?? '');
      const name = nameOf(exported)!;
      const isDefault = name === 'default';
      return found ? [{ ...found, name: isDefault ? nameOf(local)! : name, isDefault }] : [];
    });
  }

  /** What a statement exports of another file. */
  #reexportsOf(statement: Syntax, source: string): Exported[] {
    const imported = source.startsWith('.') ? this.#read(this.#file, source) : undefined;
    if (imported === undefined) return [];
    const { file, text } = imported;
    const exported = this.#known.get(file) ?? new Module(file, text, this.#read, this.#known).exported;
    if (statement.type === 'ExportAllDeclaration') return exported.filter(({ isDefault }) => !isDefault);
    return listOf(statement.specifiers).flatMap((one) => {
      const [own, name] = [nameOf(one.local), nameOf(one.exported)];
      const found = exported.find((other) => (own === 'default' ? other.isDefault : other.name === own));
      return found && name !== undefined
        ? [{ ...found, name: name === 'default' ? found.name : name, isDefault: name === 'default' }]
        : [];
    });
  }

  /** A class or type of this file or, if it is imported, of another. */
  find(name: string): { readonly node: Syntax; readonly module: Module } | undefined {
    const node = this.declarations.get(name);
    if (node) return { node, module: this };
    const source = this.#imports.get(name);
    const imported = source?.startsWith('.') ? this.#read(this.#file, source) : undefined;
    if (!imported) return undefined;
    const module = new Module(imported.file, imported.text, this.#read);
    const found =
      module.exported.find((one) => one.name === name && !one.isDefault) ??
      module.exported.find(({ isDefault }) => isDefault);
    const type = module.declarations.get(name) ?? found?.node;
    return type && { node: type, module };
  }
}

/** Name and node of what a statement declares. A variable stands for the function or class that it holds, or for its type. */
function declarationsIn(node: Syntax): (readonly [string, Syntax])[] {
  if (node.type === 'VariableDeclaration')
    return listOf(node.declarations).flatMap(({ id, init }) => {
      const [name, node] = [nameOf(id), (init as Syntax | null) ?? annotated(id as Syntax)];
      return name !== undefined && node ? [[name, node] as const] : [];
    });
  const name = nameOf(node.id);
  // a namespace may have the name of a function
  return name === undefined || node.type === 'TSModuleDeclaration' ? [] : [[name, node]];
}

const annotated = ({ typeAnnotation }: Syntax): Syntax | undefined =>
  (typeAnnotation as { typeAnnotation?: Syntax } | null | undefined)?.typeAnnotation;

/** The classes and factories of a file that have public methods. */
export function exportedObjects(file: string, text: string, read: ReadImport): ExportedObject[] {
  const module = new Module(file, text, read);
  return module.exported.flatMap((one) => {
    const found = /^Class/.test(one.node.type)
      ? classObject(one.name, one.node, one.module)
      : isFunction(one.node)
        ? factoryObject(one.name, one.node, one.module)
        : undefined;
    return found && found.methods.length > 0
      ? [{ ...found, name: one.name, isDefault: one.isDefault, types: one.module.declarations }]
      : [];
  });
}

export type ExportedFunction = Pick<ExportedObject, 'name' | 'isDefault'>;

/** The functions that a file exports. */
export const exportedFunctions = (file: string, text: string, read: ReadImport): ExportedFunction[] =>
  new Module(file, text, read).exported.filter(({ node }) => isFunction(node));

type Made = Pick<ExportedObject, 'maker' | 'parameters' | 'allParameters' | 'methods'>;

function classObject(name: string, node: Syntax, module: Module): Made | undefined {
  if (node.abstract === true) return undefined;
  const members = membersOf(node, module);
  const methods = members.flatMap(({ member, module: own }) => methodOf(member, own) ?? []);
  const made = members.find(({ member }) => member.kind === 'constructor')?.member;
  if (!made || !isHidden(made))
    return { maker: `new ${name}`, ...(made ? parametersOf(made.value as Syntax) : NO_PARAMETERS), methods };
  // a private constructor: a static method makes the object
  const { body } = node.body as { body: readonly Syntax[] };
  const factory = body.find(
    (member) =>
      member.static === true && isFunction(member.value) && mentions(member.value, name) && !isHidden(member),
  );
  if (factory === undefined) return undefined;
  return { maker: `${name}.${nameOf(factory.key)}`, ...parametersOf(factory.value as Syntax), methods };
}

/** Where names are looked up: a module, or the types of one file. */
interface Scope {
  readonly declarations: Types;
  find?(name: string): { readonly node: Syntax; readonly module: Scope } | undefined;
}

/** The members of a class and, after them, those that it inherits. */
function membersOf(
  node: Syntax,
  module: Scope,
  below: readonly Syntax[] = [],
): { member: Syntax; module: Scope }[] {
  const { body } = node.body as { body: readonly Syntax[] };
  const own = body.filter(({ static: isStatic, computed }) => isStatic !== true && computed !== true);
  const names = own.map(({ key }) => nameOf(key));
  const baseName = nameOf(node.superClass) ?? '';
  const declared = module.declarations.get(baseName);
  const base = declared ? { node: declared, module } : module.find?.(baseName);
  const inherited =
    base && /^Class/.test(base.node.type) && ![node, ...below].includes(base.node)
      ? membersOf(base.node, base.module, [node, ...below])
      : [];
  return [
    ...own.map((member) => ({ member, module })),
    ...inherited.filter(({ member: { key } }) => !names.includes(nameOf(key))),
  ];
}

/** A function that returns an object literal, an object of a class, or something of a declared type. */
function factoryObject(name: string, node: Syntax, module: Module): Made | undefined {
  const made = resultOf(node);
  const declared = made?.type === 'TSTypeReference' ? module.find(nameOf(made.typeName) ?? '') : undefined;
  const given =
    declared ?? (made?.type === 'NewExpression' ? module.find(nameOf(made.callee) ?? '') : undefined);
  const methods = given ? methodsIn(given.node, given.module) : made ? methodsIn(made, module) : [];
  return methods.length === 0 ? undefined : { maker: name, ...parametersOf(node), methods };
}

/** The methods of an object literal, a class, an interface or a type of an object. */
export function methodsIn(node: Syntax, module: Scope): Method[] {
  if (/^Class/.test(node.type))
    return membersOf(node, module).flatMap(({ member, module: own }) => methodOf(member, own) ?? []);
  const members =
    node.type === 'ObjectExpression'
      ? listOf(node.properties)
      : node.type === 'TSInterfaceDeclaration'
        ? listOf((node.body as Syntax).body)
        : node.type === 'TSTypeAliasDeclaration'
          ? listOf((node.typeAnnotation as Syntax).members)
          : listOf(node.members);
  return members.flatMap((member) => methodOf(member, module) ?? []);
}

/** A public method, or a field that holds a function. */
function methodOf(member: Syntax, { declarations: types }: Scope): Method | undefined {
  const name = nameOf(member.key);
  const type = annotated(member);
  const code = isFunction(member.value)
    ? member.value
    : member.type === 'TSMethodSignature'
      ? member
      : type?.type === 'TSFunctionType'
        ? type
        : undefined;
  const isCall = member.kind !== 'get' && member.kind !== 'set' && member.kind !== 'constructor';
  if (name === undefined || !code || !isCall || isHidden(member) || member.computed === true)
    return undefined;
  const isAsynchronous = code.async === true || mentions(code, 'Promise') || mentions(code, 'then');
  return { name, parameters: requiredOf(code), result: resultOf(code), isAsynchronous, types };
}

const isHidden = ({ accessibility, key }: Syntax): boolean =>
  accessibility === 'private' ||
  accessibility === 'protected' ||
  (key as Syntax | undefined)?.type === 'PrivateIdentifier' ||
  /^_/.test(nameOf(key) ?? '');

/** The declared type of a result, without `Promise`; otherwise the expression that is returned, if that shows what it is. */
export function resultOf(code: Syntax): Syntax | undefined {
  const declared = (code.returnType as { typeAnnotation?: Syntax } | null | undefined)?.typeAnnotation;
  if (declared) return awaited(declared);
  const body = code.body as Syntax | null | undefined;
  if (!body) return undefined;
  if (body.type !== 'BlockStatement') return shownBy(body, []);
  const statements = listOf(body.body);
  for (const value of returnsIn(body)) {
    const found = shownBy(value, statements);
    if (found) return found;
  }
  return undefined;
}

function awaited(type: Syntax): Syntax {
  const [inner] = listOf((type.typeArguments as Syntax | null | undefined)?.params);
  return nameOf(type.typeName) === 'Promise' && inner ? inner : type;
}

/** A function, an object literal or `new`; a name stands for what the function declares by it. */
function shownBy(given: Syntax, statements: readonly Syntax[]): Syntax | undefined {
  const node = given.type === 'ParenthesizedExpression' ? (given.expression as Syntax) : given;
  if (node.type === 'Identifier') {
    const own = new Map(statements.flatMap(declarationsIn)).get(nameOf(node)!);
    return own && own.type !== 'Identifier' ? shownBy(own, []) : undefined;
  }
  if (node.type === 'NewExpression' && nameOf(node.callee) === 'Promise')
    return listOf((node.typeArguments as Syntax | null | undefined)?.params)[0];
  return isFunction(node) || /^(ObjectExpression|NewExpression)$/.test(node.type) ? node : undefined;
}

function* returnsIn(node: Syntax): Generator<Syntax> {
  if (node.type === 'ReturnStatement' && node.argument) yield node.argument as Syntax;
  for (const child of childrenOf(node)) if (!isFunction(child)) yield* returnsIn(child);
}

function* childrenOf(node: Syntax): Generator<Syntax> {
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof (child as Syntax | null)?.type === 'string') yield child as Syntax;
}

/** Does the code contain a name? */
function mentions(node: Syntax, name: string): boolean {
  return (
    (node.type === 'Identifier' && nameOf(node) === name) ||
    [...childrenOf(node)].some((child) => mentions(child, name))
  );
}
