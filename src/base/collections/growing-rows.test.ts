import { expect, test } from 'vitest';
import { GrowingRows } from './growing-rows.js';

test.each([0, 1, 15, 16, 17, 33, 16_383, 16_384, 16_385, 32_768, 50_001])(
  '%i rows keep what is written into them',
  (length) => {
    const rows = new GrowingRows(3);
    for (let row = 0; row < length; row++) {
      const start = rows.add();
      rows.cells[start] = row;
      rows.cells[start + 2] = -row;
    }
    expect(rows).toHaveLength(length);
    for (let row = 0; row < length; row += 7) rows.set(row, 1, 5 * row);

    for (let row = 0; row < length; row++) {
      const cells = [0, 1, 2].map((column) => rows.at(row, column));
      expect(cells).toEqual([row, row % 7 === 0 ? 5 * row : 0, 0 - row]);
      const start = rows.start(row);
      expect([...rows.chunk(row).subarray(start, start + 3)]).toEqual(cells);
    }
  },
);
