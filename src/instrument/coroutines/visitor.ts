/** Which file rewrites which kind of node. All others are left, and their children visited. */
import { childrenOf, isFunction, isType, type Node } from '../syntax/tree.js';
import { rewriteAssignment, rewriteDelete, rewriteIn, rewriteUpdate } from './assignments.js';
import { rewriteCall, rewriteNew, rewriteTagged } from './calls.js';
import { rewriteClass, rewriteObject } from './classes.js';
import type { Unit } from './context.js';
import { declareTwins, rewriteFunction } from './functions.js';
import { rewriteForIn, rewriteForOf, rewriteLoop } from './loops.js';
import { rewriteChain, rewriteMember } from './members.js';
import {
  rewriteDeclarator,
  rewriteSpread,
  rewriteVariable,
  sharedScopeText,
  visitDefaults,
} from './patterns.js';

export function rewrite(unit: Unit, node: Node, whole: Node = node): void {
  if (isType(node)) return;
  if (isFunction(node)) {
    rewriteFunction(unit, node);
    return;
  }
  switch (node.type) {
    case 'Identifier':
      rewriteVariable(unit, node);
      return;
    case 'MemberExpression':
      rewriteMember(unit, node);
      return;
    case 'ChainExpression':
      rewriteChain(unit, node);
      return;
    case 'CallExpression':
      rewriteCall(unit, node);
      return;
    case 'NewExpression':
      rewriteNew(unit, node);
      return;
    case 'AssignmentExpression':
      rewriteAssignment(unit, node);
      return;
    case 'UpdateExpression':
      rewriteUpdate(unit, node);
      return;
    case 'UnaryExpression':
      if (node.operator === 'delete') rewriteDelete(unit, node);
      else unit.visit(node.argument);
      return;
    case 'BinaryExpression':
      if (node.operator === 'in') rewriteIn(unit, node);
      else visitChildren(unit, node);
      return;
    case 'VariableDeclaration':
      if (unit.mode !== 'plain' && node.kind.endsWith('using'))
        unit.report(node, 'a using declaration: call [Symbol.dispose]() in a finally block');
      visitChildren(unit, node);
      return;
    case 'VariableDeclarator':
      rewriteDeclarator(unit, node);
      return;
    case 'SpreadElement':
      rewriteSpread(unit, node, 'list');
      return;
    case 'ObjectExpression':
      rewriteObject(unit, node);
      return;
    case 'ClassDeclaration':
    case 'ClassExpression':
      rewriteClass(unit, node);
      return;
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'ForStatement':
      rewriteLoop(unit, node, whole);
      return;
    case 'ForOfStatement':
      rewriteForOf(unit, node, whole);
      return;
    case 'ForInStatement':
      rewriteForIn(unit, node);
      return;
    case 'LabeledStatement':
      rewrite(unit, node.body, whole);
      return;
    case 'BlockStatement':
      unit.inScope(node, () => {
        unit.edits.at(
          node.start + 1,
          sharedScopeText(unit, unit.scopes.of(node)) + declareTwins(unit, node.body),
        );
        unit.visitList(node.body);
      });
      return;
    case 'CatchClause':
      unit.inScope(node, () => {
        if (node.param) visitDefaults(unit, node.param);
        unit.edits.at(
          node.body.start + 1,
          sharedScopeText(unit, unit.scopes.of(node)) + declareTwins(unit, node.body.body),
        );
        unit.visitList(node.body.body);
      });
      return;
    case 'SwitchCase': {
      if (node.test) unit.visit(node.test);
      const pairs = declareTwins(unit, node.consequent);
      unit.visitList(node.consequent);
      if (pairs !== '') unit.edits.before(node.consequent[0], pairs);
      return;
    }
    case 'TaggedTemplateExpression':
      rewriteTagged(unit, node);
      return;
    case 'SwitchStatement':
      unit.inScope(node, () => {
        if (unit.mode !== 'plain')
          for (const { node: declaration } of unit.scope.tracked)
            unit.report(
              declaration,
              'a variable of a switch that a function shares: put braces around the case',
            );
        visitChildren(unit, node);
      });
      return;
    case 'WithStatement':
      unit.report(node, 'with: which names are meant can not be seen; name the object');
      return;
    case 'MetaProperty':
      if (node.meta.name === 'new' && unit.mode === 'twin')
        unit.report(node, 'new.target in a function: use a class');
      return;
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'TSEnumDeclaration':
      return;
    case 'ExportNamedDeclaration':
      if (node.declaration) unit.visit(node.declaration);
      return;
    default:
      visitChildren(unit, node);
  }
}

function visitChildren(unit: Unit, node: Node): void {
  for (const child of childrenOf(node)) unit.visit(child);
}
