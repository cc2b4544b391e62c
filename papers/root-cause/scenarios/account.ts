/** An account, with a mistake: what `deposit` has looked at may change during its awaits. */
import { setTimeout as sleep } from 'node:timers/promises';

export class Account {
  private balance = 0;

  async deposit(amount: number): Promise<void> {
    await this.log('deposit');
    const before = this.balance;
    await this.approve(amount);
    await this.log('approved');
    this.balance = before + amount;
  }

  async empty(): Promise<number> {
    const { balance } = this;
    this.balance = 0;
    return balance;
  }

  private async approve(_amount: number): Promise<void> {
    await sleep(20);
  }

  private async log(_text: string): Promise<void> {
    await sleep(1);
  }
}
