/** An account whose balance is kept elsewhere, with a mistake: `deposit` reads and writes it in two steps, and awaits each. */
export interface Store {
  read(): Promise<number>;
  write(balance: number): Promise<void>;
}

export class Account {
  private readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  async deposit(amount: number): Promise<number> {
    const balance = await this.store.read();
    const after = balance + amount;
    await this.store.write(after);
    return after;
  }
}
