/**
 * A failure as a short text, to be sent in a message and run again elsewhere: `se1.` and letters.
 *
 * It holds what a failure file does, but for the scenario, and of each step only a mark of one byte: enough to notice
 * nearly always where changed code leaves the schedule, not to tell what the step was.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { stringify, untag } from '../../base/values/json-values.js';
import { parseJson } from '../../base/values/parse-json.js';
import { ScenarioError } from '../../execution/scenario-error.js';
import type { Matrix } from '../scenario/matrix.js';
import type { Failure, FailureStep } from './failure.js';

const VERSION = 'se1.';

/** A failure without its scenario, whose steps are marks. */
export interface TokenFailure {
  readonly matrix: Matrix;
  readonly schedule: Failure['schedule'];
  readonly marks: readonly number[];
  readonly spuriousWakeups: boolean;
}

export const isToken = (text: string): boolean => /^se\d+\./.test(text);

export function tokenOf({ matrix, schedule, steps, spuriousWakeups = false }: Failure): string {
  const { threads, before, after } = matrix;
  const text = stringify([threads, before, after, schedule, steps.map(markOf), spuriousWakeups ? 1 : 0]);
  return `${VERSION}${deflateRawSync(text, { level: 9 }).toString('base64url')}`;
}

export function parseToken(token: string): TokenFailure {
  if (!token.startsWith(VERSION))
    throw new ScenarioError(
      `this failure is of the version ${token.slice(0, token.indexOf('.'))}; this straightedge reads se1`,
    );
  const [threads, before, after, schedule, marks, spurious] = partsOf(token);
  if (![threads, before, after, schedule, marks].every(Array.isArray)) throw broken();
  return { matrix: { threads, before, after }, schedule, marks, spuriousWakeups: spurious === 1 };
}

/** What a step does, in a byte. */
export function markOf({ thread, access }: FailureStep): number {
  let mark = thread + 1;
  for (const letter of access) mark = (Math.imul(mark, 31) + letter.codePointAt(0)!) & 0xff_ff_ff;
  return (mark ^ (mark >>> 8) ^ (mark >>> 16)) & 0xff;
}

type Parts = [Matrix['threads'], Matrix['before'], Matrix['after'], number[], number[], number];

function partsOf(token: string): Parts {
  try {
    const packed = Buffer.from(token.slice(VERSION.length), 'base64url');
    return untag(parseJson(inflateRawSync(packed).toString('utf8'))) as Parts;
  } catch {
    throw broken();
  }
}

const broken = (): ScenarioError =>
  new ScenarioError(
    'this token is not whole; expected all of the text that `straightedge explore` has printed',
  );
