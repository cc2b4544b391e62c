/** The installed Chromium, for tests of pages. */
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findProgram } from './requirements.js';

export async function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: findProgram('chromium') ?? 'chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

export interface Opened {
  readonly page: Page;
  /** Console messages, errors and network requests of the page; expected to be empty. */
  readonly complaints: readonly string[];
}

/**
 * Opens a file or an address as a user would, until the test ends. A file may load nothing else; an address may load only
 * from its host.
 */
export async function open(
  browser: Browser,
  place: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  const address = /^https?:/.test(place) ? place : pathToFileURL(place).href;
  const { origin } = new URL(address);
  page.on('console', (message) => complaints.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (url !== address && (origin === 'null' || new URL(url).origin !== origin))
      complaints.push(`request: ${url}`);
  });
  await page.goto(address);
  return { page, complaints };
}

/** The serious and critical problems that axe-core finds. */
export async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    interface Result {
      readonly violations: readonly {
        readonly id: string;
        readonly impact: string;
        readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
      }[];
    }
    const injected = globalThis as unknown as { axe: { run: () => Promise<Result> } };
    const { violations } = await injected.axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`);
  });
}

/** The operations whose bars are highlighted. */
export const litBars = (page: Page): Promise<number[]> =>
  page
    .locator('.bar.lit')
    .evaluateAll((bars) =>
      bars.map((bar) => Number((bar as unknown as { dataset: { operation: string } }).dataset.operation)),
    );
