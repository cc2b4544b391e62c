// The same check from JavaScript.
import { check } from 'straightedge';
import { readHistory } from 'straightedge/formats';
import { queue } from 'straightedge/objects';

const verdict = check(await readHistory('orders.jsonl'), queue());
console.log(verdict.kind);
if (verdict.kind === 'violation')
  for (const { process, method, args } of verdict.counterexample.core)
    console.log(`  ${method}(${args.join()}) by ${process}`);
