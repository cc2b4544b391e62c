/** The result of each cell of the matrix, as a table: a row for each tool and module system, a column for each Node. */
const COLUMNS = ['20.19', '22', '24', 'newest', 'other'] as const;
export type Column = (typeof COLUMNS)[number];

export class Table {
  readonly #rows = new Map<string, Map<Column, string>>();
  readonly #skipped: string[] = [];

  set(tool: string, modules: string, column: Column, result: string): void {
    const key = `${tool.padEnd(30)} ${modules.padEnd(27)}`;
    const row = this.#rows.get(key) ?? new Map<Column, string>();
    this.#rows.set(key, row.set(column, result));
  }

  skip(what: string, why: string): void {
    this.#skipped.push(`  ${what}: ${why}`);
  }

  toString(): string {
    const line = (head: string, cells: readonly string[]): string =>
      `${head} ${cells.map((cell) => cell.padEnd(8)).join('')}`.trimEnd();
    const head = `${'tool'.padEnd(30)} ${'modules, mode'.padEnd(27)}`;
    const rows = Array.from(this.#rows, ([key, row]) =>
      line(
        key,
        COLUMNS.map((column) => row.get(column) ?? '·'),
      ),
    ).sort();
    const skipped = this.#skipped.length === 0 ? [] : ['', 'not tested', ...this.#skipped];
    const all = [line(head, COLUMNS.slice()), ...rows, '', '✓ works   ✗ fails   · no such cell', ...skipped];
    return `\n${all.join('\n')}\n`;
  }
}
