/**
 * The loops around a source position, to distinguish a new iteration from a new call in functions that are not instrumented.
 *
 * Each file is parsed once. For a file that cannot be parsed, nothing is known.
 */
import { readFileSync } from 'node:fs';
import type { SourcePosition } from '../../base/source-position.js';
import { Source } from './source.js';
import { childrenOf, isFunction, type Node } from './tree.js';

/** The positions of a loop and of its body. */
export interface SourceLoop {
  readonly start: SourcePosition;
  readonly body: SourcePosition;
}

/** What is around a position. */
export interface Surroundings {
  /** The loops around it in its function, the innermost first. */
  readonly loops: readonly SourceLoop[];
  /** The offset of its statement. */
  readonly statement: number;
}

interface Range {
  readonly kind: 'function' | 'loop' | 'statement';
  readonly from: number;
  readonly to: number;
  /** Of a loop. */
  readonly loop?: SourceLoop;
}

interface Known {
  readonly source: Source;
  /** Outer ones first. */
  readonly ranges: readonly Range[];
  /** Offset to what is around it, if that was asked. */
  readonly asked: Map<number, Surroundings>;
}

const files = new Map<string, Known | undefined>();

/** Undefined where the source is not known. */
export function surroundingsOf(place: SourcePosition): Surroundings | undefined {
  if (!files.has(place.file)) files.set(place.file, read(place.file));
  const known = files.get(place.file);
  if (known === undefined) return undefined;
  const at = known.source.offsetOf(place);
  const surroundings = known.asked.get(at) ?? around(known.ranges, at);
  known.asked.set(at, surroundings);
  return surroundings;
}

function around(ranges: readonly Range[], at: number): Surroundings {
  const all = ranges.filter(({ from, to }) => from <= at && at < to);
  const own = all.slice(all.findLastIndex(({ kind }) => kind === 'function') + 1).reverse();
  return {
    loops: own.flatMap(({ loop }) => loop ?? []),
    statement: own.find(({ kind }) => kind === 'statement')?.from ?? at,
  };
}

function read(file: string): Known | undefined {
  try {
    const source = new Source(file, readFileSync(file, 'utf8'));
    const ranges: Range[] = [];
    visit(source.program, source, ranges);
    return { source, ranges, asked: new Map() };
  } catch {
    return undefined;
  }
}

function visit(node: Node, source: Source, ranges: Range[]): void {
  const { start: from, end: to } = node;
  if (isFunction(node)) ranges.push({ kind: 'function', from, to });
  if (/Statement$|^VariableDeclaration$/.test(node.type) && node.type !== 'BlockStatement')
    ranges.push({ kind: 'statement', from, to });
  const loop = loopOf(node, source);
  if (loop) ranges.push(loop);
  // its test comes after its body
  if (node.type === 'DoWhileStatement') ranges.push({ kind: 'statement', from: node.test.start, to });
  for (const child of childrenOf(node)) visit(child, source, ranges);
}

/** Code that runs once, before the first iteration, is not part of the loop. */
function loopOf(node: Node, source: Source): Range | undefined {
  const round = (of: Node & { readonly body: Node }, first: Node): Range => ({
    kind: 'loop',
    from: first.start,
    to: of.end,
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
