/** Which calls a history makes, by method and first arguments; gathered when somebody asks. */
import { ListNumbers } from '../base/collections/list-interner.js';
import type { History } from '../history/history.js';
import { numberOfValue } from '../history/model/columns.js';
import type { Called } from './spec.js';

/** `examples` are operations that between them make every call. */
export function callsOf(history: History, examples: Int32Array): Called {
  let calls: ListNumbers | undefined;
  return (method, ...args) => {
    calls ??= gather(history, examples);
    const { tables } = history;
    const values = args.map((value) => numberOfValue(tables, value) ?? -1);
    return calls.has(Int32Array.of(tables.methods.indexOf(method), ...values), 1 + args.length);
  };
}

/** The method and the values of each call, and each beginning of that. */
function gather({ columns }: History, examples: Int32Array): ListNumbers {
  const { method, argumentStart, argument } = columns;
  const calls = new ListNumbers();
  for (const k of examples) {
    const args = argument.subarray(argumentStart[k], argumentStart[k + 1]);
    const call = new Int32Array(1 + args.length);
    call[0] = method[k];
    call.set(args, 1);
    for (let length = 1; length <= call.length; length++) calls.numberOf(call, length);
  }
  return calls;
}
