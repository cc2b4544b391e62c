/** Which calls a history makes, by method and first arguments; gathered when somebody asks. */
import { type History, numberOfValue } from '../history/index.js';
import type { Called } from './spec.js';

/** `examples` are operations that between them make every call. */
export function callsOf(history: History, examples: readonly number[]): Called {
  let calls: Set<string> | undefined;
  return (method, ...args) => {
    calls ??= gather(history, examples);
    const { tables } = history;
    return calls.has(
      [tables.methods.indexOf(method), ...args.map((value) => numberOfValue(tables, value))].join(),
    );
  };
}

function gather({ columns }: History, examples: readonly number[]): Set<string> {
  const { method, argumentStart, argument } = columns;
  const calls = new Set<string>();
  for (const k of examples) {
    let call = `${method[k]}`;
    calls.add(call);
    for (let i = argumentStart[k]; i < argumentStart[k + 1]; i++) {
      call += `,${argument[i]}`;
      calls.add(call);
    }
  }
  return calls;
}
