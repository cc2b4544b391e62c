/** What the body of a function declares for all of it, and which names the defaults of its parameters use. */
import { childrenOf, isFunction, isType, type Node, targetsOf } from './tree.js';

/** Variables, functions and classes that statements declare; those of inner blocks if they rise out of them. */
export function declaredIn(statements: readonly Node[]): Set<string> {
  const names = new Set<string>();
  const look = (node: Node, isOutermost: boolean): void => {
    if (isType(node)) return;
    if (isOutermost && (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id)
      names.add(node.id.name);
    if (node.type === 'VariableDeclaration' && (isOutermost || node.kind === 'var'))
      for (const { id } of node.declarations)
        for (const target of targetsOf(id)) if (target.type === 'Identifier') names.add(target.name);
    if (!isFunction(node)) for (const child of childrenOf(node)) look(child, false);
  };
  for (const statement of statements) look(statement, true);
  return names;
}

/** Names in the defaults of a parameter, but for parameters of functions in there. */
export function namesUsedIn(param: Node): Set<string> {
  const names = new Set<string>();
  const look = (node: Node, own: ReadonlySet<string>): void => {
    if (isType(node)) return;
    if (node.type === 'Identifier') {
      if (!own.has(node.name)) names.add(node.name);
      return;
    }
    if (node.type === 'MemberExpression' && !node.computed) {
      look(node.object, own);
      return;
    }
    const inside = isFunction(node)
      ? new Set([
          ...own,
          ...node.params.flatMap((at) => [...targetsOf(at)]).map((at) => ('name' in at ? at.name : '')),
        ])
      : own;
    for (const child of childrenOf(node)) look(child, inside);
  };
  const lookAtDefaults = (node: Node): void => {
    if (node.type === 'AssignmentPattern') look(node.right, new Set());
    for (const child of childrenOf(node)) if (child.type !== 'Identifier') lookAtDefaults(child);
  };
  lookAtDefaults(param);
  return names;
}
