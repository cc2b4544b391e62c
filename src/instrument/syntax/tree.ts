/** The syntax tree of oxc-parser (ESTree with TypeScript), and questions about its nodes. */
import { createRequire } from 'node:module';
import type { Node } from 'oxc-parser';

/** The parser and the text editor. */
interface Tools {
  readonly parser: typeof import('oxc-parser');
  readonly MagicString: typeof import('magic-string').default;
}

let fetched: Tools | undefined;

/** Loads the tools with the first file that is instrumented: they take longer to load than everything else. */
export function tools(): Tools {
  fetched ??= fetchTools();
  return fetched;
}

function fetchTools(): Tools {
  const require = createRequire(import.meta.url);
  return {
    parser: require('oxc-parser') as Tools['parser'],
    MagicString: require('magic-string') as Tools['MagicString'],
  };
}

export type { Node };
/** The nodes of some types. */
export type Of<T extends Node['type']> = Select<Node, T>;
type Select<N, T> = N extends { type: infer U } ? (Extract<U, T> extends never ? never : N) : never;
export type FunctionNode = Of<'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression'>;
export type ClassNode = Of<'ClassDeclaration' | 'ClassExpression'>;
export type MemberNode = Of<'MemberExpression'>;

/** The nodes directly below a node, in the order of the source for all that is evaluated. */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  const fields = node as unknown as Record<string, Node | (Node | null)[] | null | undefined>;
  for (const key of tools().parser.visitorKeys[node.type] ?? []) {
    const child = fields[key];
    if (Array.isArray(child)) {
      for (const element of child) if (element) children.push(element);
    } else if (child) children.push(child);
  }
  return children;
}

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  );
}

/** A node without the parentheses and type assertions around it. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
      return bare(node.expression);
    default:
      return node;
  }
}

/** Is a node of types only, so that nothing in it is ever evaluated? */
export function isType(node: Node): boolean {
  if (!node.type.startsWith('TS')) return 'declare' in node && node.declare === true;
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'TSParameterProperty':
    case 'TSExportAssignment':
    case 'TSImportEqualsDeclaration':
      return false;
    case 'TSEnumDeclaration':
      return node.declare === true;
    case 'TSModuleDeclaration':
      return (
        node.declare === true || (node.body?.type === 'TSModuleBlock' && node.body.body.every(isOfTypes))
      );
    default:
      return true;
  }
}

/** A statement of a namespace that is types only. */
function isOfTypes(statement: Node): boolean {
  if (statement.type !== 'ExportNamedDeclaration') return isType(statement);
  return statement.exportKind === 'type' || (statement.declaration !== null && isType(statement.declaration));
}

/** The name of a member, if it is not computed: `#name` for private ones. */
export function nameOf(key: Node, computed: boolean): string | undefined {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key.type === 'Literal')
    return typeof key.value === 'string' || typeof key.value === 'number' ? String(key.value) : undefined;
  return !computed && key.type === 'Identifier' ? key.name : undefined;
}

/** Does a chain that this node continues have a `?.` before it? */
export function hasOptionalBelow(node: Node): boolean {
  switch (node.type) {
    case 'MemberExpression':
      return node.optional || hasOptionalBelow(node.object);
    case 'CallExpression':
      return node.optional || hasOptionalBelow(node.callee);
    case 'TSNonNullExpression':
      return hasOptionalBelow(node.expression);
    default:
      return false;
  }
}

/** The variables that a pattern binds or assigns: its identifiers, and the members it writes to. */
export function* targetsOf(pattern: Node): Generator<Of<'Identifier'> | MemberNode> {
  const node = bare(pattern);
  switch (node.type) {
    case 'Identifier':
    case 'MemberExpression':
      yield node;
      return;
    case 'AssignmentPattern':
      yield* targetsOf(node.left);
      return;
    case 'RestElement':
      yield* targetsOf(node.argument);
      return;
    case 'ArrayPattern':
      for (const element of node.elements) if (element) yield* targetsOf(element);
      return;
    case 'ObjectPattern':
      for (const property of node.properties)
        yield* targetsOf(property.type === 'RestElement' ? property : property.value);
      return;
    case 'TSParameterProperty':
      yield* targetsOf(node.parameter);
  }
}

/**
 * Nameless functions and classes to the names that they get from the variable, field or parameter that they are assigned to:
 * `const add = () => …` is named `add`. Undefined where the name is computed.
 */
export function namesIn(program: Node): ReadonlyMap<Node, string | undefined> {
  const names = new Map<Node, string | undefined>();
  const give = (value: Node | null | undefined, name: string | undefined): void => {
    const node = value ? withoutParentheses(value) : undefined;
    if (node !== undefined && isNameless(node)) names.set(node, name);
  };
  const look = (node: Node): void => {
    switch (node.type) {
      case 'VariableDeclarator':
        if (node.id.type === 'Identifier') give(node.init, node.id.name);
        break;
      case 'AssignmentPattern':
        if (node.left.type === 'Identifier') give(node.right, node.left.name);
        break;
      case 'AssignmentExpression':
        if (node.left.type === 'Identifier' && /^(=|&&=|\|\|=|\?\?=)$/.test(node.operator))
          give(node.right, node.left.name);
        break;
      case 'Property':
        if (node.kind === 'init' && !node.method) give(node.value, nameOf(node.key, node.computed));
        break;
      case 'PropertyDefinition':
        give(node.value, nameOf(node.key, node.computed));
        break;
      case 'ExportDefaultDeclaration':
        give(node.declaration, 'default');
        break;
    }
    for (const child of childrenOf(node)) look(child);
  };
  look(program);
  return names;
}

function withoutParentheses(node: Node): Node {
  return node.type === 'ParenthesizedExpression' ? withoutParentheses(node.expression) : node;
}

function isNameless(node: Node): boolean {
  switch (node.type) {
    case 'ArrowFunctionExpression':
      return true;
    case 'FunctionExpression':
    case 'ClassExpression':
    // of a default export
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return node.id === null;
    default:
      return false;
  }
}
