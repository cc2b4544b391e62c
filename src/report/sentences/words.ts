/** Sentences as data, and the names of operations and values in them. */
import { Canonical } from '../../base/values/canonical.js';
import { printable, show } from '../../base/values/show.js';
import type { ValueInterval } from '../../check/model/causes.js';
import type { History } from '../../history/history.js';
import { describeOutcome, type Outcome } from '../../history/model/operation.js';
import { Labels } from '../common/label.js';
import { count } from '../common/verdict-words.js';

/*
 * A sentence as data: pieces of text, some with a tone, some pointing at operations.
 *
 * One sentence serves all reports. The terminal paints the tones; the page also links the pieces with the
 * operations drawn beside them.
 */

/** Operations are named by id. */
export interface Phrase {
  readonly text: string;
  readonly tone?: 'strong' | 'good' | 'bad';
  readonly operations?: readonly number[];
  /** Of a text that is a list: its items, for a report that has room for a line each. */
  readonly items?: readonly Sentence[];
}

export type Sentence = readonly Phrase[];

/** One of the reasons that make up an explanation; where it introduces an order, the steps of that follow it. */
export interface Reason {
  readonly sentence: Sentence;
  readonly steps?: readonly Sentence[];
  /** How many steps of the order are left out; if there are any, the first of `steps` says so. */
  readonly skipped?: number;
}

type Piece = string | Phrase | Sentence;

/** A template whose holes are texts, phrases or whole sentences. A hole that ends with a full stop takes none after it. */
export function say(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Sentence {
  const after = (piece: Piece, text: string): string =>
    /[.!?]$/.test(textOf(piece)) ? text.replace(/^\.(?=\s|$)/, '') : text;
  return join([texts[0], ...pieces.flatMap((piece, i): Piece[] => [piece, after(piece, texts[i + 1])])]);
}

function textOf(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  return 'text' in piece ? piece.text : piece.map(({ text }) => text).join('');
}

/** Concatenates pieces, with the same text between each two. */
export function join(pieces: readonly Piece[], between = ''): Sentence {
  return pieces
    .flatMap((piece, i): readonly Piece[] => (i === 0 ? [piece] : [between, piece]))
    .flatMap((piece): readonly Phrase[] => {
      if (typeof piece === 'string') return piece === '' ? [] : [{ text: piece }];
      return 'text' in piece ? [piece] : piece;
    });
}

/** A list as one phrase: on a line with a text between each two items, or with a line for each. */
export function listed(items: readonly Sentence[], between: string): Phrase {
  return { text: items.map(textOf).join(between), operations: items.flatMap(operationsIn), items };
}

/** The operations that a sentence speaks of, each once. */
export const operationsIn = (sentence: Sentence): number[] => [
  ...new Set(sentence.flatMap(({ operations = [] }) => operations)),
];

/** The signs that sentences are written with: `→`, `…` or, in plain characters, `->`, `...`. */
export interface Signs {
  readonly gives: string;
  readonly ellipsis: string;
}

/** Signs for files, which can hold any character. */
export const SIGNS: Signs = { gives: '→', ellipsis: '…' };

/** At most this many values are named; the others are counted. */
const MOST_VALUES = 6;
const MOST_ALLOWED = 8;

/** A process in a sentence. A number alone would read as a count: `add(2) of 3`. */
export const processName = (process: string): string =>
  /^\d+$/.test(process) ? `process ${process}` : printable(process);

export class Words {
  readonly history: History;
  readonly labels: Labels;
  readonly ellipsis: string;
  readonly #placeOf: (id: number) => string;

  /** `placeOf`: where the operation is found, printed after its name. */
  constructor(
    history: History,
    { gives, ellipsis }: Signs,
    placeOf: (id: number) => string = (id) => ` (operation ${id})`,
  ) {
    this.#placeOf = placeOf;
    this.history = history;
    this.labels = new Labels(history, gives);
    this.ellipsis = ellipsis;
  }

  /** `dequeue() of worker-2 (operation 31)`; with its result: `dequeue() → 7 of worker-2 (operation 31)`. */
  operation(id: number | undefined, hasResult = false): Phrase {
    if (id === undefined) return { text: 'another operation' };
    const operation = this.history.at(this.position(id));
    const label = hasResult ? this.labels.operation(this.position(id)) : this.labels.call(operation);
    return {
      text: `${label} of ${processName(operation.process)}${this.#placeOf(id)}`,
      operations: [id],
    };
  }

  /** An operation named before in the sentence: its call, or where that is the same as `other`, its full name. */
  again(id: number, other?: number): Phrase {
    const [call, its] = [id, other ?? id].map((own) => this.labels.call(this.history.at(this.position(own))));
    return call === its && other !== undefined ? this.operation(id) : { text: call, operations: [id] };
  }

  position(id: number): number {
    return this.history.positionsById()[id];
  }

  /** A value that points at the operations that inserted and removed it. */
  value({ value, put, taken }: ValueInterval): Phrase {
    return {
      text: this.show(value),
      tone: 'strong',
      operations: [put, taken].filter((id) => id !== undefined),
    };
  }

  /** A value as the spec of the only object describes it, or as usual. */
  show(value: unknown): string {
    const { objects } = this.history;
    return objects.length === 1 ? this.labels.value(value, objects[0]) : show(value);
  }

  outcome(outcome: Outcome): string {
    return outcome.kind === 'returned' ? this.show(outcome.value) : describeOutcome(outcome);
  }

  /** `1, 2 and 3`. */
  values(intervals: readonly ValueInterval[]): Sentence {
    const named = intervals.slice(0, MOST_VALUES).map((interval) => this.value(interval));
    if (intervals.length > MOST_VALUES)
      return say`${join(named, ', ')} and ${count(intervals.length - MOST_VALUES, 'other value')}`;
    if (named.length === 1) return named;
    return say`${join(named.slice(0, -1), ', ')} and ${named[named.length - 1]}`;
  }

  /** `from put(1) of A (operation 0) to take() of B (operation 3)`. */
  duration({ put, taken }: ValueInterval): Sentence {
    const since = put === undefined ? say`from the start` : say`from ${this.operation(put)}`;
    return say`${since} ${taken === undefined ? 'on' : say`to ${this.operation(taken)}`}`;
  }

  isPending(id: number): boolean {
    return this.history.at(this.position(id)).outcome.kind === 'pending';
  }

  /** What may have happened instead of `actual`: `1, error Full`. */
  alternatives(allowed: readonly Outcome[], actual?: Outcome): string {
    const toText = (outcome: Outcome): string =>
      actual?.kind === 'threw' && isVoid(outcome) ? 'no error' : this.outcome(outcome);
    return this.list(distinguished(allowed, toText), ', ');
  }

  list(texts: readonly string[], between: string): string {
    const rest = texts.length - MOST_ALLOWED;
    return [...texts.slice(0, MOST_ALLOWED), ...(rest > 0 ? [`${rest} more`] : [])].join(between);
  }
}

/** The texts of outcomes. Where two are equal, because values are long, the first difference follows. */
function distinguished(outcomes: readonly Outcome[], toText: (outcome: Outcome) => string): string[] {
  const texts = outcomes.map(toText);
  const used = new Set<string>();
  return texts.map((text, i) => {
    const other = texts.findIndex((own, j) => j !== i && own === text);
    let longer =
      other < 0 ? text : `${text} (${differenceInWords(outcomes[i], outcomes[other]) ?? `${i + 1}`})`;
    // nothing that can be shown distinguishes them
    if (used.has(longer)) longer = `${longer} (${i + 1})`;
    used.add(longer);
    return longer;
  });
}

/** `.items[2]: 5`: a part of a result that another result does not have. */
function differenceInWords(outcome: Outcome, other: Outcome): string | undefined {
  if (outcome.kind !== 'returned' || other.kind !== 'returned') return undefined;
  const [first] = differencesOf(outcome.value, other.value);
  return first === undefined || first.path === '' ? undefined : `${first.path}: ${partInWords(first.left)}`;
}

const partInWords = (part: unknown): string => (part === ABSENT_VALUE ? 'absent' : show(part));

/** Values with shorter texts are compared at a glance. */
const GLANCE = 30;

/** The allowed result that differs from a structured one in the fewest places, if it has the same structure. */
export function nearestAllowed(
  outcome: Outcome,
  allowed: readonly Outcome[],
): { readonly value: unknown; readonly differences: readonly Difference[] } | undefined {
  if (outcome.kind !== 'returned' || describeOutcome(outcome).length <= GLANCE) return undefined;
  return allowed
    .flatMap((own) =>
      own.kind === 'returned'
        ? [{ value: own.value, differences: differencesOf(outcome.value, own.value) }]
        : [],
    )
    .filter(({ differences }) => differences.length > 0 && differences[0].path !== '')
    .sort((one, other) => one.differences.length - other.differences.length)[0];
}

/** Where a structured result differs from the nearest allowed one. */
export function nearestInWords(outcome: Outcome, allowed: readonly Outcome[]): Sentence[] {
  const nearest = nearestAllowed(outcome, allowed)?.differences;
  if (!nearest) return [];
  const shown = nearest
    .slice(0, MOST_VALUES)
    .map(
      ({ path, left, right }) =>
        say`${path} is ${bad(partInWords(left))} instead of ${good(partInWords(right))}`,
    );
  const rest = nearest.length - shown.length;
  return [
    say`Compared with ${allowed.length === 1 ? 'the allowed result' : 'the nearest allowed result'}, ${join(shown, '; ')}${rest > 0 ? `; ${rest} more differences` : ''}.`,
  ];
}

/** Is it a return without a result? */
export const isVoid = (outcome: Outcome): boolean =>
  outcome.kind === 'returned' && outcome.value === undefined;

/** `returned 2`, `threw error Full`. Where results are void, only the return counts; `allowed` are its alternatives. */
export function endedIn(outcome: Outcome, allowed: readonly Outcome[] = [], words?: Words): Sentence {
  if (outcome.kind === 'failed') return say`had no effect`;
  if (outcome.kind === 'pending') return say`has not returned`;
  if (!isVoid(outcome))
    return say`${outcome.kind === 'threw' ? 'threw' : 'returned'} ${bad(words?.outcome(outcome) ?? describeOutcome(outcome))}`;
  if (allowed.some(({ kind }) => kind === 'returned')) return say`returned ${bad('undefined')}`;
  return allowed.length > 0 ? say`returned ${bad('without an error')}` : [bad('returned')];
}

export const good = (text: string): Phrase => ({ text, tone: 'good' });
export const bad = (text: string): Phrase => ({ text, tone: 'bad' });
export const strong = (text: string): Phrase => ({ text, tone: 'strong' });

/*
 * Where two structured values differ.
 */

interface Difference {
  /** `.items[2].price`; empty if the values differ as a whole. */
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** An absent field or element. */
export const ABSENT_VALUE: unique symbol = Symbol('absent');

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** All differences of two values, from left to right. Values of other kinds than lists, maps and plain objects are compared as a whole. */
export function differencesOf(left: unknown, right: unknown): Difference[] {
  const canonical = new Canonical();
  const found: Difference[] = [];
  const visit = (a: unknown, b: unknown, path: string): void => {
    if (
      Object.is(a, b) ||
      (a !== ABSENT_VALUE && b !== ABSENT_VALUE && canonical.key(a) === canonical.key(b))
    )
      return;
    const [own, other] = [entriesOf(a), entriesOf(b)];
    if (!own || !other || own.kind !== other.kind) {
      found.push({ path, left: a, right: b });
      return;
    }
    const before = found.length;
    for (const key of new Set([...own.entries.keys(), ...other.entries.keys()])) {
      const [one, two] = [own, other].map(({ entries }) =>
        entries.has(key) ? entries.get(key) : ABSENT_VALUE,
      );
      visit(one, two, `${path}${stepTo(key, own.kind)}`);
    }
    // they differ in what is not an entry
    if (found.length === before) found.push({ path, left: a, right: b });
  };
  visit(left, right, '');
  return found;
}

type Entries = { readonly kind: string; readonly entries: ReadonlyMap<unknown, unknown> };

function entriesOf(value: unknown): Entries | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return { kind: 'list', entries: new Map(value.entries()) };
  if (value instanceof Map) return { kind: 'map', entries: value };
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? { kind: 'object', entries: new Map(Object.entries(value)) }
    : undefined;
}

function stepTo(key: unknown, kind: string): string {
  if (kind === 'object' && IDENTIFIER.test(String(key))) return `.${String(key)}`;
  return kind === 'map' ? `.get(${show(key)})` : `[${show(key)}]`;
}
