/**
 * The loops of a function, by places in its source: what tells a new round from a new call, of functions that are not transformed.
 *
 * Each file is read once. What can not be read has no loops that are known.
 */
import { readFileSync } from 'node:fs';
import type { Place } from './problem.js';
import { Source } from './source.js';
import { childrenOf, isFunction, type Node } from './tree.js';

/** A loop: what is done in each round, and where its body begins. */
export interface SourceLoop {
  readonly start: Place;
  readonly body: Place;
}

/** Where something stands. */
export interface Surroundings {
  /** The loops around it in its function, the innermost first. */
  readonly loops: readonly SourceLoop[];
  /** Where its statement begins, as an offset. */
  readonly statement: number;
}

interface Range {
  readonly kind: 'function' | 'loop' | 'statement';
  readonly from: number;
  readonly to: number;
  /** Of a loop. */
  readonly loop?: SourceLoop;
  /** Of a statement: where it is taken to begin. */
  readonly begin: number;
}

interface Known {
  readonly source: Source;
  /** Outer ones first. */
  readonly ranges: readonly Range[];
}

const files = new Map<string, Known | undefined>();

/** Undefined where the source is not known. */
export function surroundingsOf(place: Place): Surroundings | undefined {
  if (!files.has(place.file)) files.set(place.file, read(place.file));
  const known = files.get(place.file);
  if (known === undefined) return undefined;
  const at = known.source.offsetOf(place);
  const around = known.ranges.filter(({ from, to }) => from <= at && at < to);
  const own = around.slice(around.findLastIndex(({ kind }) => kind === 'function') + 1).reverse();
  return {
    loops: own.flatMap(({ loop }) => loop ?? []),
    statement: own.find(({ kind }) => kind === 'statement')?.begin ?? at,
  };
}

function read(file: string): Known | undefined {
  try {
    const source = new Source(file, readFileSync(file, 'utf8'));
    const ranges: Range[] = [];
    visit(source.program, source, ranges);
    return { source, ranges };
  } catch {
    return undefined;
  }
}

function visit(node: Node, source: Source, ranges: Range[]): void {
  const { start: from, end: to } = node;
  if (isFunction(node)) ranges.push({ kind: 'function', from, to, begin: from });
  if (/Statement$|^VariableDeclaration$/.test(node.type) && node.type !== 'BlockStatement')
    ranges.push({ kind: 'statement', from, to, begin: from });
  const loop = loopOf(node, source);
  if (loop) ranges.push(loop);
  // its test comes after its body
  if (node.type === 'DoWhileStatement')
    ranges.push({ kind: 'statement', from: node.test.start, to, begin: node.test.start });
  for (const child of childrenOf(node)) visit(child, source, ranges);
}

/** What is done once, before the first round, is no part of a loop. */
function loopOf(node: Node, source: Source): Range | undefined {
  const round = (of: Node & { readonly body: Node }, first: Node): Range => ({
    kind: 'loop',
    from: first.start,
    to: of.end,
    begin: first.start,
    loop: { start: source.placeOf(of.start), body: source.placeOf(of.body.start) },
  });
  switch (node.type) {
    case 'ForStatement':
      return round(node, node.test ?? node.update ?? node.body);
    case 'WhileStatement':
      return round(node, node.test);
    case 'DoWhileStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
      return round(node, node.body);
    default:
      return undefined;
  }
}
