/**
 * The thread that checks a history: it runs the spec of the user, which may never return. The page ends it then.
 *
 * It has no network: the policy of the page holds here too.
 */
import { transform } from 'sucrase';
import { InputError } from '../../src/base/errors.js';
import { check } from '../../src/check/check.js';
import { measureConsistency } from '../../src/consistency/measure.js';
import { FormatError } from '../../src/formats/common/reader.js';
import { offsetOfField } from '../../src/formats/json-lines/fields.js';
import { readRecord } from '../../src/formats/json-lines/record.js';
import { Records } from '../../src/formats/json-lines/records.js';
import { writeJsonLines } from '../../src/formats/json-lines/writer.js';
import { draw, sketch } from '../../src/history/drawing/sketch.js';
import { History } from '../../src/history/history.js';
import { type ObjectOptions, objects, syncObjects } from '../../src/objects/registry.js';
import { pageData } from '../../src/report/html/page-data.js';
import { reference } from '../../src/spec/reference.js';
import { type AnySpec, methodNames, problemInSpec } from '../../src/spec/rendezvous/sync-spec.js';
import * as specs from '../../src/spec/spec.js';
import { OWN_SPEC, type Question, type Reply, type Where } from './question.js';

/** Milliseconds for the search: shorter than what the page waits for the whole answer. */
const SEARCHING = 1_500;
/** The same for how far a history is from linearizable. */
const MEASURING = 500;
const MOST_STEPS = 20_000;

/** What is wrong, and in which field. */
class Refused extends Error {
  readonly reply: Reply;

  constructor(where: Where, message: string, line?: number, column?: number) {
    super(message);
    this.reply = { kind: 'refused', where, message, line, column };
  }
}

addEventListener('message', ({ data: { number, question } }: MessageEvent) => {
  void answer(question as Question).then((reply) => postMessage({ number, reply }));
});

async function answer(question: Question): Promise<Reply> {
  try {
    const spec = await specOf(question);
    const isDrawing = !RECORDS.test(question.text);
    const drawn = isDrawing ? readDrawing(question.text) : undefined;
    // as records, where no result and null are the same
    const text = drawn ? [...writeJsonLines(drawn)].join('') : question.text;
    const history = isDrawing ? withoutLines(readRecords(text, spec, false)) : readRecords(text, spec, true);
    if (history.length === 0) throw new Refused('history', 'There is no operation yet.');
    return checked(history, spec, drawn ?? history);
  } catch (error) {
    if (error instanceof Refused) return error.reply;
    const message = error instanceof Error ? error.message : String(error);
    const where = error instanceof InputError && !(error instanceof specs.SpecError) ? 'history' : 'spec';
    return { kind: 'refused', where, message };
  }
}

function checked(history: History, spec: AnySpec, drawn: History): Reply {
  const began = performance.now();
  const verdict = check(history, () => spec, { timeout: SEARCHING });
  const ms = { read: 0, check: performance.now() - began };
  const consistency =
    verdict.kind === 'violation'
      ? measureConsistency(history, () => spec, { timeout: MEASURING, maxSteps: MOST_STEPS })
      : undefined;
  const result = { file: '', spec: spec.name, history, verdict, ms, specOf: () => spec, consistency };
  return { kind: 'checked', data: pageData(result, () => spec), drawing: draw(drawn) };
}

/* The history: a drawing, or JSON lines */

const RECORDS = /^\s*\{/;

function readRecords(text: string, spec: AnySpec, keepTimes: boolean): History {
  const place = { text: '', line: 0 };
  const records = new Records(
    { keepTimes, methodsOf: () => methodNames(spec), jepsen: () => spec.jepsen },
    {
      get line() {
        return place.line;
      },
      positionAt: (position) => ({ line: place.line, column: position + 1 }),
      positionOf: (field) => ({ line: place.line, column: offsetOfField(place.text, field) + 1 }),
    },
  );
  try {
    text.split('\n').forEach((line, i) => {
      Object.assign(place, { text: line, line: i + 1 });
      if (line.trim() !== '') records.take(() => readRecord(line));
    });
    return records.finish();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw keepTimes
      ? new Refused('history', error.detail, error.line, error.column)
      : new Refused('history', error.detail);
  }
}

/** The records are not what the user wrote: their lines are meaningless. */
function withoutLines({ columns, tables, annotations, stuck }: History): History {
  const { lines: _, ...others } = tables;
  return new History(columns, others, annotations, stuck);
}

/** The place in front of a message of `sketch`. */
const PLACE = /^sketch, line (\d+), column (\d+): /;

function readDrawing(text: string): History {
  try {
    return sketch(text) as unknown as History;
  } catch (error) {
    const { message } = error as Error;
    const [place, line, column] = PLACE.exec(message) ?? ['', undefined, undefined];
    throw new Refused(
      'history',
      message.slice(place.length),
      line === undefined ? undefined : Number(line),
      column === undefined ? undefined : Number(column),
    );
  }
}

/* The spec: a ready-made object, or a module in TypeScript */

async function specOf({ object, options, spec }: Question): Promise<AnySpec> {
  if (object === OWN_SPEC) return ownSpec(spec);
  const create = objects[object] ?? syncObjects[object];
  const given = optionsIn(options);
  try {
    return create(given);
  } catch (error) {
    throw new Refused('options', (error as Error).message.replaceAll('--', ''));
  }
}

function optionsIn(text: string): ObjectOptions {
  if (text.trim() === '') return {};
  try {
    const options: unknown = JSON.parse(text);
    if (typeof options === 'object' && options !== null && !Array.isArray(options)) return options;
  } catch {
    // the same message as for other values
  }
  throw new Refused('options', 'Options are a JSON object, such as {"initial": 0}.');
}

/** What a spec may import. */
const MODULES: Readonly<Record<string, object>> = {
  straightedge: { ...specs, reference },
  'straightedge/objects': Object.fromEntries(
    Object.entries({ ...objects, ...syncObjects }).map(([name, create]) => [
      name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      (options: ObjectOptions = {}) => create(options),
    ]),
  ),
};

function importModule(name: string): object {
  if (Object.hasOwn(MODULES, name)) return MODULES[name];
  throw new Refused('spec', `A spec here imports only ${Object.keys(MODULES).join(' and ')}, not "${name}".`);
}

async function ownSpec(text: string): Promise<AnySpec> {
  const exports: { default?: unknown } = {};
  const run = await compiled(text);
  try {
    run(importModule, exports);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused('spec', `The spec throws when it is loaded: ${String(error)}`);
  }
  const problem = problemInSpec(exports.default);
  if (problem !== undefined) throw new Refused('spec', `The default export is not a spec: ${problem}.`);
  return exports.default as AnySpec;
}

type Run = (require: (name: string) => object, exports: object) => void;

/** A module of its own, as the policy forbids `eval`. */
async function compiled(text: string): Promise<Run> {
  let code: string;
  try {
    code = transform(text, { transforms: ['typescript', 'imports'], production: true }).code;
  } catch (error) {
    const { message, loc } = error as Error & { loc?: { line: number; column: number } };
    throw new Refused('spec', message.replace(/ \(\d+:\d+\)$/, ''), loc?.line, loc?.column);
  }
  const source = `export default function (require, exports) {${code}\n}`;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    const module = (await import(/* @vite-ignore */ address)) as { default: Run };
    return module.default;
  } catch (error) {
    throw new Refused('spec', (error as Error).message);
  } finally {
    URL.revokeObjectURL(address);
  }
}
