/**
 * A family for words of shared memory that a method changes, and changes back if a check fails: it checks first.
 */
import type { Node } from '../../instrument/syntax/tree.js';
import { atomicsCall, expressionOf, placeText } from './atomics.js';
import { type Draft, EditRefused, type Family } from './draft.js';
import { isExit, type Method, ownNodes, type Statement } from './source.js';
import { negated } from './waiting.js';

const UNDONE: Readonly<Record<string, string>> = { add: 'sub', sub: 'add' };

/** A change that is undone if a check fails, so that others see it in between: checked first, then compare-and-exchange. */
export const undoneFamily: Family = ({ cls, blamed, entries }, add) => {
  for (const method of new Set([...blamed, ...entries])) {
    const list = method.body.body as readonly Statement[];
    list.forEach((statement, at) => {
      for (const node of ownNodes(statement)) {
        const operation = Object.keys(UNDONE).find((one) => atomicsCall(cls, node, one));
        if (operation === undefined) continue;
        const args = atomicsCall(cls, node, operation)!;
        const isDeclared = statement.type === 'VariableDeclaration' && statement.declarations.length === 1;
        const check = isDeclared ? list[at + 1] : statement;
        if (check?.type !== 'IfStatement' || check.alternate || !isExit(check.consequent)) continue;
        if (!isDeclared && !ownNodes(check.test as Node).includes(node)) continue;
        const undo = `Atomics.${UNDONE[operation]}(${args.map((one) => cls.textOf(one)).join(', ')})`;
        const isUndo = (one: Statement | undefined): one is Statement =>
          expressionOf(one) !== undefined && cls.textOf(expressionOf(one)!) === undo;
        const inner = check.consequent.type === 'BlockStatement' ? check.consequent.body : [];
        const later = list[list.indexOf(check as Statement) + 1];
        const undone = [...(inner as readonly Statement[]), later].find(isUndo);
        if (undone === undefined) continue;
        add({
          family: 'cas',
          title: `${method.name} checks before it changes the word, by compare-and-exchange, so that no other thread sees a change that is undone`,
          edit: (draft) =>
            checkFirst(draft, method, {
              at,
              node,
              operation,
              check: check as Statement,
              undo: undone,
            }),
        });
      }
    });
  }
};

interface Undone {
  readonly at: number;
  readonly node: Node;
  readonly operation: string;
  readonly check: Statement;
  readonly undo: Statement;
}

function checkFirst(draft: Draft, method: Method, { at, node, operation, check, undo }: Undone): void {
  const { cls } = draft;
  const list = method.body.body as readonly Statement[];
  if (list.at(-1)?.type !== 'ReturnStatement' || check.type !== 'IfStatement')
    throw new EditRefused('no return at the end');
  const args = atomicsCall(cls, node, operation)!;
  const [place, amount] = [placeText(cls, args), cls.textOf(args[2])];
  const first = list[at];
  const isNamed =
    first.type === 'VariableDeclaration' &&
    (first.declarations[0].init as unknown) === node &&
    first.declarations[0].id.type === 'Identifier';
  const name = isNamed ? cls.textOf(first.declarations[0].id) : cls.unusedVariable(method, 'value');
  const load = `Atomics.load(${place})`;
  const { unit, semicolon: end } = cls;
  const next = `${name} ${operation === 'add' ? '+' : '-'} ${/^[\w.]+$/.test(amount) ? amount : `(${amount})`}`;
  const swap = `Atomics.compareExchange(${place}, ${name}, ${next})`;
  draft.replace(node, isNamed ? load : name);
  const head = isNamed ? ['for (;;) {'] : ['for (;;) {', `${unit}const ${name} = ${load}${end}`];
  draft.removeWithComment(undo);
  if (list.includes(undo)) {
    // `if (enough) return true; undo; return false;`
    const rest = list.slice(list.indexOf(undo) + 1);
    const kept = check.consequent as Statement;
    if (rest.length !== 1 || kept.type === 'BlockStatement') throw new EditRefused('another shape');
    draft.replace(check, `if (${negated(cls, check.test as Node)}) ${cls.textOf(rest[0])}`);
    draft.replace(rest[0], `if (${swap} === ${name}) ${cls.textOf(kept)}`);
  } else draft.after(check, `${unit}if (${swap} !== ${name}) continue${end}`);
  draft.enclose(list.slice(at), head, ['}']);
}
