/** `straightedge explain --patch`, `--apply` and `--test-command`, as a user types them. */
import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sarifFaults } from '../../support/oracles/sarif.js';
import { MAIN, runIn } from '../../support/processes/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-patches-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...args: readonly string[]) => runIn(folder, args);
const file = (name: string): string => join(folder, name);
const FAILURE = '.straightedge/failure-1.json';

const STOCK = `export class Stock {
  private sold = 0;

  async sell(): Promise<number> {
    const before = this.sold;
    await new Promise<void>((resolve) => setTimeout(resolve, 1));
    this.sold = before + 1;
    return this.sold;
  }
}
`;
writeFileSync(file('stock.ts'), STOCK);
writeFileSync(
  file('stock.scenario.ts'),
  `import { scenario } from 'straightedge';
import { Stock } from './stock.js';
export default scenario({ name: 'stock', create: () => new Stock(), calls: [['sell']], threads: 2, callsPerThread: 2 });
`,
);
spawnSync('git', ['init', '-q'], { cwd: folder });
run('explore', 'stock.scenario.ts', '--quiet');

describe('explain --patch', () => {
  test('prints JSON with a diff that git accepts and the evidence, adds fixes to SARIF, and the diff to the page', () => {
    const outputs = ['--json', '--reporter', 'sarif=out.sarif', '--html', 'page.html'];
    const { status, stdout } = run('explain', FAILURE, '--patch', ...outputs, '--timeout', '10m');
    expect(status).toBe(1);
    const { patches, unrefuted } = JSON.parse(stdout);
    expect(unrefuted).toEqual([]);
    expect(patches[0]).toMatchObject({
      rank: 1,
      family: 'fresh',
      file: 'stock.ts',
      evidence: { failures: 'sequential' },
      saved: join('.straightedge', 'patch-1.diff'),
    });
    const choices = patches[0].evidence.sizes.map(({ choice }: { choice: string }) => choice);
    // all tests of 2×1, 2×2 and 3×1; then random ones, as far as the budget goes
    expect(choices.slice(0, 4)).toEqual(['all', 'all', 'all', 'random']);
    expect(readFileSync(file(patches[0].saved), 'utf8')).toBe(patches[0].diff);
    expect(spawnSync('git', ['apply', '--check', patches[0].saved], { cwd: folder }).status).toBe(0);
    expect(readFileSync(file('stock.ts'), 'utf8')).toBe(STOCK);

    const sarif = JSON.parse(readFileSync(file('out.sarif'), 'utf8'));
    expect(sarifFaults(sarif)).toEqual([]);
    const [fix] = sarif.runs[0].results[0].fixes;
    let lines = STOCK.split('\n');
    for (const { deletedRegion, insertedContent } of fix.artifactChanges[0].replacements.toReversed()) {
      const { startLine, endLine } = deletedRegion;
      const inserted = insertedContent.text === '' ? [] : insertedContent.text.replace(/\n$/, '').split('\n');
      lines = [...lines.slice(0, startLine - 1), ...inserted, ...lines.slice(endLine - 1)];
    }
    expect(lines.join('\n')).toContain('this.sold += 1;');
    expect(lines.join('\n')).not.toContain('before');
    expect(readFileSync(file('page.html'), 'utf8')).toContain('+    this.sold += 1;');
  });

  test('rejects all patches with which the test command fails', () => {
    const command = 'grep -q before stock.ts';
    const { status, stdout } = run(
      'explain',
      FAILURE,
      '--test-command',
      command,
      '--json',
      '--timeout',
      '10m',
    );
    expect(status).toBe(1);
    const { patches, rejected } = JSON.parse(stdout);
    expect(patches.map(({ family }: { family: string }) => family)).not.toContain('fresh');
    expect(rejected).toContainEqual(expect.objectContaining({ family: 'fresh', because: 'command' }));
    expect(readFileSync(file('stock.ts'), 'utf8')).toBe(STOCK);
  });

  test('refuses a test command that fails without a patch', () => {
    const { status, stderr } = run('explain', FAILURE, '--test-command', 'exit 1', '--timeout', '10m');
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('fails with exit code 1 without a patch too'),
    ]);
  });
});

test('explain --apply refuses a file that changes while its patch is tested', () => {
  const command = `printf '// edited\\n' >> ${file('stock.ts')}`;
  const { status, stderr } = run(
    'explain',
    FAILURE,
    '--apply',
    '--test-command',
    command,
    '--timeout',
    '10m',
  );
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('stock.ts has changed since it was explored'),
  ]);
  expect(readFileSync(file('stock.ts'), 'utf8')).toMatch(/^(\/\/ edited\n)+$/m);
  writeFileSync(file('stock.ts'), STOCK);
});

test('explain --apply writes the patch, and the failing test holds', () => {
  const { status, stdout } = run('explain', FAILURE, '--apply', '--timeout', '10m');
  expect(stdout).toContain('Applied patch 1 to stock.ts.');
  expect(status).toBe(0);
  expect(readFileSync(file('stock.ts'), 'utf8')).toContain('this.sold += 1;');
  expect(run('explore', 'stock.scenario.ts', '--quiet').status).toBe(0);
});

/** A JavaScript class with tabs and the line ends of Windows. */
const CART = [
  'export class Cart {',
  '\tcount = 0;',
  '',
  '\t/* adds one */',
  '\tasync add() {',
  '\t\tconst before = this.count; // of all calls',
  '\t\tawait new Promise((resolve) => setTimeout(resolve, 1));',
  '\t\tthis.count = before + 1;',
  '\t\treturn this.count;',
  '\t}',
  '}',
  '',
].join('\r\n');

const cartScenario = (path: string): string => `import { scenario } from 'straightedge';
import { Cart } from '${path}';
export default scenario({ name: 'cart', create: () => new Cart(), calls: [['add']], threads: 2, callsPerThread: 2 });
`;

test('explain --apply keeps line ends, tabs, comments, a link and a byte order mark of a JavaScript file', () => {
  rmSync(file('.straightedge'), { recursive: true });
  mkdirSync(file('lib'));
  writeFileSync(file('lib/cart.js'), `\uFEFF${CART}`);
  symlinkSync('lib/cart.js', file('cart.js'));
  writeFileSync(file('cart.scenario.js'), cartScenario('./cart.js'));
  run('explore', 'cart.scenario.js', '--quiet');
  expect(run('explain', FAILURE, '--apply', '--timeout', '10m').status).toBe(0);
  const text = readFileSync(file('lib/cart.js'), 'utf8');
  expect(text).toContain('\t\tthis.count += 1;\r\n');
  expect(text).not.toMatch(/[^\r]\n/);
  for (const comment of ['/* adds one */', '// of all calls']) expect(text).toContain(comment);
  expect(text.startsWith('\uFEFF') && !text.startsWith('\uFEFF\uFEFF')).toBe(true);
  expect(lstatSync(file('cart.js')).isSymbolicLink()).toBe(true);
  expect(
    spawnSync('git', ['apply', '--check', '-R', '.straightedge/patch-1.diff'], { cwd: folder }).status,
  ).toBe(0);
});

test('explain --apply that is killed while it writes leaves the source as it was', () => {
  rmSync(file('.straightedge'), { recursive: true });
  const text = `${CART}${'// a comment\n'.repeat(3_000)}`;
  writeFileSync(file('lib/cart.js'), text.replaceAll('\r\n', '\n'));
  run('explore', 'cart.scenario.js', '--quiet');
  // a file may not become longer than 16 blocks: the kernel ends the process, or the write fails
  const command = `ulimit -f 16; exec "${process.execPath}" "${MAIN}" explain ${FAILURE} --apply --timeout 10m`;
  const { status } = spawnSync('bash', ['-c', command], { cwd: folder });
  expect(status).not.toBe(0);
  expect(readFileSync(file('lib/cart.js'), 'utf8')).toBe(text.replaceAll('\r\n', '\n'));
});

test('explain --apply changes no file in node_modules', () => {
  rmSync(file('.straightedge'), { recursive: true });
  mkdirSync(file('node_modules/cart'), { recursive: true });
  writeFileSync(file('node_modules/cart/package.json'), '{ "type": "module" }');
  writeFileSync(file('node_modules/cart/cart.js'), CART);
  writeFileSync(file('cart.scenario.js'), cartScenario('./node_modules/cart/cart.js'));
  run('explore', 'cart.scenario.js', '--quiet');
  expect(run('explain', FAILURE, '--apply', '--timeout', '10m').status).toBe(3);
  expect(readFileSync(file('node_modules/cart/cart.js'), 'utf8')).toBe(CART);
});
