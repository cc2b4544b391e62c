/**
 * The walk over a file that both rewriters share: coroutines/ and tracing-rewrite/.
 *
 * A rewriter is a table from node types to functions (`Visitor`). `visit` looks a node up there, and enters the scope that
 * the node opens for as long as its function runs. A function visits the children of its node, then edits the node: children
 * are edited before their parents (edits.ts). Nodes without a function are left, and their children visited.
 *
 * Types are skipped. So are names that are no variables: labels, names of imports and exports, keys of members.
 */

import type { Scope } from './scope.js';
import { Scopes } from './scopes.js';
import { Edits, type Source } from './source.js';
import { childrenOf, isType, type Node, type Of } from './tree.js';

/** Node type to the function that rewrites such a node, and visits its children. */
export type Visitor<C> = { readonly [T in Node['type']]?: (context: C, node: Of<T>) => void };

/** One file while it is rewritten: its edits, and the scope that the walk is in. */
export class RewriteContext {
  readonly source: Source;
  readonly edits: Edits;
  readonly scopes: Scopes;
  scope: Scope;
  readonly #visitor: Visitor<never>;

  constructor(source: Source, visitor: Visitor<never>) {
    this.source = source;
    this.edits = new Edits(source.text);
    this.scopes = new Scopes(source.program);
    this.scope = this.scopes.top;
    this.#visitor = { ...COMMON, ...visitor };
  }

  visit(node: Node): void {
    if (isType(node)) return;
    this.inScope(node, () => {
      const rewrite = this.#visitor[node.type] as ((context: RewriteContext, node: Node) => void) | undefined;
      if (rewrite) rewrite(this, node);
      else this.visitChildren(node);
    });
  }

  visitAll(nodes: readonly (Node | null)[]): void {
    for (const node of nodes) if (node) this.visit(node);
  }

  visitChildren(node: Node): void {
    this.visitAll(childrenOf(node));
  }

  /** Runs `inside` in the scope that a node opens, if it opens one. For nodes that are not visited by themselves. */
  inScope(node: Node, inside: () => void): void {
    const outer = this.scope;
    this.scope = this.scopes.of(node) ?? outer;
    inside();
    this.scope = outer;
  }
}

const skip = (): void => {};

const visitMember = (
  context: RewriteContext,
  { computed, key, value }: Of<'MethodDefinition' | 'PropertyDefinition' | 'AccessorProperty'>,
): void => {
  if (computed) context.visit(key);
  if (value) context.visit(value);
};

/** Nodes with names that are no variables, and enums, which the type eraser rewrites (types.ts). */
const COMMON: Visitor<RewriteContext> = {
  ImportDeclaration: skip,
  ExportAllDeclaration: skip,
  ExportNamedDeclaration: (context, { declaration }) => context.visitAll([declaration]),
  BreakStatement: skip,
  ContinueStatement: skip,
  LabeledStatement: (context, { body }) => context.visit(body),
  MetaProperty: skip,
  MethodDefinition: visitMember,
  PropertyDefinition: visitMember,
  AccessorProperty: visitMember,
  TSEnumDeclaration: skip,
};
