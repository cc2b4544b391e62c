/**
 * Which names do functions and classes get that have none of their own? That of the variable, the field or the parameter
 * that they stand beside: `const add = () => …` is called `add`.
 */
import { childrenOf, type Node, nameOf } from './tree.js';

/** Functions and classes without a name to the one they get; undefined where it is computed. */
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
