/** Pages of rendezvous objects, in a real browser. */
import { rmSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sketch } from '../../../src/history/drawing/sketch.js';
import type { History } from '../../../src/history/history.js';
import { channel } from '../../../src/objects/rendezvous/channel.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';
import { PICTURES } from '../../support/fixtures/pictures.js';
import { launch, litBars, open, seriousProblems } from '../../support/processes/browser.js';
import { folder, reportOf } from '../../support/processes/reports.js';
import { isMissing } from '../../support/processes/requirements.js';

describe.skipIf(isMissing('chromium'))('pages of rendezvous', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  const reportOfPicture = (wanted: string): string => {
    const { name, history, spec } = PICTURES.find((own) => own.name === wanted) as (typeof PICTURES)[number];
    return reportOf(name, history, spec);
  };

  test('calls of a rendezvous are linked across their rows, step by step', async () => {
    const history = sketch`
      A  |- send(1) -------------|
      B     |- receive() -> 1 -|     |- receive() -> 2 -|
      C        |- send(2) -------------------------------|` as History;
    const { page, complaints } = await open(browser, reportOf('met', history, channel() as SyncSpec));
    expect(await page.locator('h1').innerText()).toBe('✓ synchronisation linearizable');
    expect(await page.locator('h2').first().innerText()).toBe('Rendezvous');
    const links = page.locator('.links > g');
    expect(await links.count()).toBe(2);
    // a link goes from a bar to a bar: points lie inside of them
    const bars = await Promise.all(
      [0, 1].map((id) => page.locator(`.bar[data-operation="${id}"] path`).boundingBox()),
    );
    const points = await Promise.all([0, 1].map((i) => links.first().locator('circle').nth(i).boundingBox()));
    for (const [i, point] of points.entries()) {
      const bar = bars[i]!;
      expect(point!.x).toBeGreaterThan(bar.x);
      expect(point!.x + point!.width).toBeLessThan(bar.x + bar.width);
      expect(point!.y).toBeGreaterThan(bar.y);
      expect(point!.y + point!.height).toBeLessThan(bar.y + bar.height);
    }
    await page.keyboard.press('ArrowLeft');
    expect(await links.count()).toBe(1);
    await page.locator('tbody tr', { hasText: 'send(2)' }).first().hover();
    expect(await litBars(page)).toEqual([2, 3]);
    expect(await seriousProblems(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('a violation shows the rendezvous before it, and the rendezvous that should have occurred', async () => {
    const unmatched = await open(browser, reportOfPicture('counter-channel-unmatched'));
    expect(await unmatched.page.locator('h2').first().innerText()).toBe(
      'Why it is not synchronisation linearizable',
    );
    expect(await unmatched.page.locator('.links > g').count()).toBe(1);
    const missed = await open(browser, reportOfPicture('channel-should-synchronise'));
    expect(await missed.page.locator('.links > g.missed circle').count()).toBe(2);
    expect([...unmatched.complaints, ...missed.complaints]).toEqual([]);
  });
});
