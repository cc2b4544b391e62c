import { type Scenario, scenario } from 'straightedge';
import { Account, type Store } from './account.js';

let kept = 0;

const account: Scenario = scenario({
  name: 'account',
  stubs: {
    read: async () => kept,
    write: async (balance: number) => {
      kept = balance;
    },
  },
  create: (stubs: Store): Account => {
    kept = 0;
    return new Account(stubs);
  },
  calls: [
    ['deposit', 1],
    ['deposit', 2],
  ],
  threads: 2,
  callsPerThread: 1,
});
export default account;
