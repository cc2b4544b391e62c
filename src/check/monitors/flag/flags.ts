/**
 * Switches, one for each key: turned on, turned off, seen. A set is made of them, and a mutex is one.
 *
 *   role           the set                              the mutex
 *   TURN_ON        add → true                           lock, tryLock → true
 *   TURN_OFF       remove → true                        unlock
 *   SEE_ON         add → false, contains → true         tryLock → false
 *   SEE_OFF        remove → false, contains → false     unlock that threw NotLocked
 *
 * A call that never returned may turn the switch, or find it turned, or never happen.
 */
import type { History } from '../../../history/history.js';

export const TURN_ON = 0;
export const TURN_OFF = 1;
export const SEE_ON = 2;
export const SEE_OFF = 3;
/** It never returned: it turns the switch, or finds it turned. */
export const OPEN_ON = 4;
export const OPEN_OFF = 5;
/** It never returned, and changes nothing. */
export const IDLE = 6;

export interface Switches {
  readonly history: History;
  /** Operation to its role, and to its key. */
  readonly role: Uint8Array;
  readonly key: Int32Array;
  /** Key to 1 where it is on at first. */
  readonly on: Uint8Array;
}

/** Switches that are turned as told: is each answer right? */
export function switchModel({ role, key, on }: Switches): (operation: number) => boolean {
  const now = on.slice();
  return (k) => {
    const isOn = now[key[k]] === 1;
    switch (role[k]) {
      case TURN_ON:
      case OPEN_ON:
        now[key[k]] = 1;
        return !isOn || role[k] === OPEN_ON;
      case TURN_OFF:
      case OPEN_OFF:
        now[key[k]] = 0;
        return isOn || role[k] === OPEN_OFF;
      case SEE_ON:
        return isOn;
      case SEE_OFF:
        return !isOn;
      default:
        return true;
    }
  };
}
