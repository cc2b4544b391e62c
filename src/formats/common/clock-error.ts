/**
 * A clock error as it is typed: `5ms`, or a plain number in the unit of the file's own times.
 *
 * Only a file that says what its times are can be asked with a unit: Jepsen's are
 * nanoseconds. Ours are numbers of any clock, and to guess at their unit could
 * raise a false alarm or hide a violation.
 */
import type { Stamp } from '../../history/model/stamps.js';
import { OptionError } from './option-error.js';

/** Unit to the power of ten that makes nanoseconds of it. */
const POWERS: Readonly<Record<string, number>> = { ns: 0, us: 3, µs: 3, ms: 6, s: 9 };

const MOST_DIGITS = 20;

/** The clock error in the unit of the file's times. */
export function clockErrorIn(unit: 'nanoseconds' | 'unknown', error: Stamp | undefined): Stamp | undefined {
  if (error === undefined || (typeof error !== 'string' && error >= 0 && error < Infinity)) return error;
  const [text, amount, own] = /^(\d+(?:\.\d+)?)([a-zµ]*)$/.exec(String(error)) ?? [];
  if (amount === undefined || (own !== '' && !Object.hasOwn(POWERS, own)))
    throw new OptionError(
      `${JSON.stringify(String(error))} is no clock error; expected a time such as 5ms, 200us or 1s, or a number in the unit of the file's times`,
    );
  if (amount.replace('.', '').length > MOST_DIGITS)
    throw new OptionError(`a clock error of more than ${MOST_DIGITS} digits`);
  if (own === '') return amount;
  const nanoseconds = `${amount}e${POWERS[own]}`;
  if (unit === 'nanoseconds') return nanoseconds;
  throw new OptionError(
    `a clock error of ${text}, but the times of this file have no unit; expected a number in the unit of these times: ${amount} if that is ${own}, ${Number(nanoseconds)} if it is nanoseconds`,
  );
}
