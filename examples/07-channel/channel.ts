/** A channel without a buffer: `send` and `receive` return together, in pairs. */
export class Channel {
  protected readonly senders: { readonly value: number; readonly resume: () => void }[] = [];
  protected readonly receivers: ((value: number) => void)[] = [];

  send(value: number): Promise<void> {
    const receive = this.receivers.shift();
    if (receive === undefined) return new Promise((resume) => this.senders.push({ value, resume }));
    receive(value);
    return Promise.resolve();
  }

  receive(): Promise<number> {
    const sender = this.senders.shift();
    if (sender === undefined) return new Promise((resolve) => this.receivers.push(resolve));
    sender.resume();
    return Promise.resolve(sender.value);
  }
}

/** A channel with a fault: `send` does not wait for a receiver. */
export class HastyChannel extends Channel {
  override send(value: number): Promise<void> {
    void super.send(value);
    return Promise.resolve();
  }
}
