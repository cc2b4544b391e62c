/** One line on the terminal's error output that is written over; nothing where that is no terminal. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #shown: boolean;

  constructor(stream: NodeJS.WriteStream, quiet: boolean) {
    this.#stream = stream;
    this.#shown = stream.isTTY && !quiet;
  }

  show(text: string): void {
    if (this.#shown) this.#stream.write(`\r\x1b[K${text.slice(0, (this.#stream.columns ?? 80) - 1)}`);
  }

  clear(): void {
    if (this.#shown) this.#stream.write('\r\x1b[K');
  }
}
