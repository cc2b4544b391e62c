// An account that cannot be overdrawn: straightedge check account.jsonl --spec ./bank.spec.ts
import { type Spec, threw } from 'straightedge';

interface Account {
  deposit(amount: number): number;
  withdraw(amount: number): number;
  balance(): number;
}

const account: Spec<Account, number> = {
  name: 'account',
  initial: 0,
  methods: {
    deposit: (balance, amount) => [balance + amount, balance + amount],
    withdraw: (balance, amount) =>
      amount <= balance ? [balance - amount, balance - amount] : [balance, threw('Overdrawn')],
    balance: (balance) => [balance, balance],
  },
  readOnly: (method, _args, outcome) => method === 'balance' || outcome.kind === 'threw',
};
export default account;
