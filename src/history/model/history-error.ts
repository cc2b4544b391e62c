/** What was recorded contradicts itself. Entries number the operations as they were added. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly entry: number;
  /** Another entry that it contradicts. */
  readonly other: number | undefined;

  constructor(message: string, entry: number, other?: number) {
    super(message);
    this.entry = entry;
    this.other = other;
  }
}
