/** `straightedge monitor`, as a user types it: over pipes that stay open, files that grow, and interrupted. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { MAIN, runIn } from '../../support/processes/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-monitor-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const run = (args: readonly string[], input = '') => runIn(folder, ['monitor', ...args], { input });
const call = (process: string, method: string, ...args: unknown[]): string =>
  `${JSON.stringify({ type: 'call', process, method, args })}\n`;
const end = (process: string, result?: unknown): string =>
  `${JSON.stringify({ type: 'return', process, result })}\n`;

const GOOD = call('A', 'enqueue', 1) + end('A') + call('A', 'enqueue', 2) + end('A') + call('B', 'dequeue');
const BAD = GOOD + end('B', 2);

describe('at the end of its input', () => {
  test('no violation is exit code 0, and open calls are reported', () => {
    const { status, stdout, stderr } = run(['--spec', 'queue'], GOOD);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe('✓ no violation in 5 events  standard input · queue · 1 open call\n');
  });
  test('a violation is exit code 1, drawn, with the event and its line', () => {
    const { status, stdout } = run([write('bad.jsonl', `\n${BAD}`), '--spec', 'queue', '--ascii']);
    expect(status).toBe(1);
    expect(stdout).toContain('B                                    |- dequeue() -> 2 x -|');
    expect(stdout).toContain('dequeue() by B (event 6, line 7) returned 2; allowed: 1.');
    expect(stdout).toContain('1 was inserted before 2, and no operation had removed it.');
  });
  test('operations in the reason are named with their lines', () => {
    const twice = GOOD + end('B', 1) + call('A', 'dequeue') + end('A', 1);
    const { stdout } = run(['--spec', 'queue'], twice);
    expect(stdout).toContain('dequeue() by A (event 8, line 8) returned 1; allowed: 2.');
    expect(stdout).toContain('That value had already been removed, by dequeue() of B (line 5).');
  });
  test('the faulty operation need not be the last one', () => {
    const open = GOOD + call('A', 'dequeue') + end('B', 2) + call('B', 'dequeue') + end('B', 1);
    const { stdout } = run(['--spec', 'queue'], open);
    expect(stdout).toContain('dequeue() by B (event 9, line 9) returned 1');
    expect(stdout).toContain('dequeue() of B (line 5) returned 2.');
    expect(stdout).toContain('1 was inserted before 2 but was removed after it, by dequeue() of B (line 8).');
  });
  test('values that are present are reported although their operations are forgotten', () => {
    const before = Array.from(
      { length: 600 },
      (_, i) => call('A', 'enqueue', i + 10) + end('A') + call('A', 'dequeue') + end('A', i + 10),
    );
    const { stdout } = run(['--spec', 'queue'], before.join('') + BAD);
    expect(stdout).toContain('dequeue() by B (event 2,406, line 2,406) returned 2; allowed: 1.');
    expect(stdout).toContain('1 was inserted before 2, and no operation had removed it.');
    const twice = run(['--spec', 'queue'], before.join('') + call('B', 'dequeue') + end('B', 10));
    expect(twice.stdout).toContain('it was never inserted, or it had been removed.');
  });
  test('methods have the names of the file', () => {
    const { stdout } = run(['--spec', 'stack', '--rename', 'push=enqueue,pop=dequeue'], GOOD + end('B', 1));
    expect(stdout).toContain('dequeue() by B (event 6, line 6) returned 1');
    expect(stdout).not.toContain('pop()');
  });
  test('a rename of a method that did not occur is reported', () => {
    const { status, stderr } = run(['--spec', 'queue', '--rename', 'enqueue=add'], GOOD);
    expect(status).toBe(0);
    expect(stderr).toContain('-: --rename enqueue=add renames nothing');
  });
  test('--json prints the verdict', () => {
    const { status, stdout } = run(
      ['--spec', 'stack', '--rename', 'push=enqueue,pop=dequeue', '--json'],
      GOOD + end('B', 1),
    );
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      file: '-',
      verdict: 'violation',
      spec: 'stack',
      events: 6,
      operations: 3,
      violation: { event: 6, line: 6, cause: 'stuck', allowed: [{ result: 2 }], fault: 2 },
    });
  });
  test('--json has the reason as in check, about operations that are shown', () => {
    const before = Array.from(
      { length: 300 },
      (_, n) => call('A', 'enqueue', n) + end('A') + call('B', 'dequeue') + end('B', n),
    );
    const { stdout } = run(['--spec', 'queue', '--json'], before.join('') + BAD);
    const { reason, shown } = JSON.parse(stdout).violation;
    const operation = (id: number) => shown.find((own: { id: number }) => own.id === id);
    expect(reason).toMatchObject({ kind: 'overtaken', first: { put: expect.any(Number) } });
    expect(operation(reason.first.put)).toMatchObject({ method: 'enqueue', args: [reason.first.value] });
    expect(operation(reason.operation)).toMatchObject({ method: 'dequeue', result: reason.second.value });
  });
  test('undecided is exit code 3, with the reason', () => {
    const memory = run(['--spec', 'queue', '--max-memory', '20mb'], GOOD);
    expect(memory.status).toBe(3);
    expect(memory.stdout).toContain(
      'Memory limit reached; no violation up to there. Try a larger --max-memory.',
    );
    const tied = Array.from({ length: 1100 }, () => 'xy')
      .join('')
      .split('')
      .map((key) => call('A', 'add', key) + end('A', true) + call('A', 'remove', key) + end('A', true));
    const members = call('A', 'members') + end('A', { $: 'Set', value: [] });
    const late = run(['--spec', 'set'], tied.join('') + call('B', 'add', 'x') + members);
    expect(late.status).toBe(3);
    expect(late.stdout).toContain(
      'The stream is unchecked from event 8,802 on: a call belongs to several parts',
    );
  });
  test('gzipped input is unpacked', () => {
    writeFileSync(join(folder, 'bad.jsonl.gz'), gzipSync(BAD));
    expect(run([join(folder, 'bad.jsonl.gz'), '--spec', 'queue']).stdout).toContain('event 6');
  });
  test('calls that no monitor supports do not hide a violation of another object', () => {
    const on = (object: string, event: string) =>
      `${JSON.stringify({ object, ...(JSON.parse(event) as object) })}\n`;
    const pushes = Array.from({ length: 12 }, (_, i) => on('s', call(`P${i}`, 'push', i)));
    const returns = Array.from({ length: 12 }, (_, i) => end(`P${i}`));
    const wrong = on('q', call('A', 'dequeue')) + end('A', 1);
    const both = ['--spec', 's=stack,q=queue', '--max-memory', '300mb'];
    const { status, stdout } = run(both, [...pushes, ...returns, wrong].join(''));
    expect(status).toBe(1);
    expect(stdout).toContain('part q');
  });
  test('calls that synchronise in pairs are monitored; a barrier is refused', () => {
    const met = call('A', 'send', 1) + call('B', 'receive') + end('A');
    expect(run(['--spec', 'channel'], met + end('B', 1)).stdout).toBe(
      '✓ no violation in 4 events  standard input · channel\n',
    );
    const { status, stdout } = run(['--spec', 'channel'], met + end('B', 2));
    expect(status).toBe(1);
    expect(stdout).toContain('No sequence of rendezvous gives the results in the first 4 events.');
    const barrier = run(['--spec', 'barrier']);
    expect([barrier.status, barrier.stderr]).toEqual([
      2,
      expect.stringContaining('there is no monitor for barrier'),
    ]);
  });
  test('objects have their own specs and options', () => {
    const text = [
      '{"type":"call","process":"A","object":"orders","method":"dequeue"}',
      '{"type":"call","process":"B","object":"stock","method":"get","args":["x"]}',
      '{"type":"return","process":"B","result":null}',
      '{"type":"return","process":"A","result":"none"}',
    ].join('\n');
    expect(run(['--spec', 'orders=queue,stock=map'], text)).toMatchObject({ status: 1 });
    expect(run(['--spec', 'orders=queue', '--empty', '"none"'], text.split('\n')[0]).status).toBe(0);
    const unknown = run(['--spec', 'orders=queue'], text);
    expect([unknown.status, unknown.stderr]).toEqual([
      2,
      '-: the history has object "stock", but --spec names only orders\n',
    ]);
  });
});

describe('bad input is exit code 2, with line and column', () => {
  test.each([
    [
      'an operation',
      '{"process":"A","method":"enqueue","args":[1],"call":1,"return":2}\n',
      ':1:1: an operation with its times; expected events',
    ],
    ['an end without a call', GOOD + end('C'), ':6:28: the end of a call, but process "C" has no open call'],
    [
      'a method that the object does not have',
      `${GOOD}{"type":"call","process":"A","method":"push","args":[1]}`,
      ':6:39: unknown method "push"; queue has enqueue',
    ],
    [
      'a line cut short',
      `${GOOD}{"type":"ret`,
      ':6:13: expected a closing double quote, found the end of the text',
    ],
    ['a list', '[{"type":"call"},\n', ':1:1: a list; expected events, one per line'],
  ])('%s', (_, input, message) => {
    const { status, stdout, stderr } = run(['--spec', 'queue'], input);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
  test('an invalid command is exit code 2', () => {
    expect(run(['--spec', 'queue', '--follow']).stderr).toContain('--follow needs a file');
    expect(run(['absent.jsonl', '--spec', 'queue']).stderr).toBe('absent.jsonl: no such file\n');
    expect(run(['--spec', 'queue', '--rename', 'add=enqueue'], GOOD).stderr).toContain(
      'did you mean enqueue=add?',
    );
  });
});

/** A process whose standard input stays open, with its output and exit code. */
function start(args: readonly string[]): {
  child: ChildProcessWithoutNullStreams;
  ended: Promise<{ code: number | null; stdout: string }>;
  printed: (text: string) => Promise<void>;
} {
  const child = spawn(process.execPath, [MAIN, 'monitor', ...args], {
    env: { ...process.env, NO_COLOR: '1' },
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout }));
  const printed = async (text: string): Promise<void> => {
    while (!stdout.includes(text)) await once(child.stdout, 'data');
  };
  return { child, ended, printed };
}

describe('while the pipe is open', () => {
  test('a violation ends it', async () => {
    const { child, ended } = start(['-', '--spec', 'queue']);
    child.stdin.write(GOOD);
    child.stdin.write(end('B', 2));
    const { code, stdout } = await ended;
    expect(code).toBe(1);
    expect(stdout).toContain('✗ not linearizable');
  });
  test('it prints its progress, and Ctrl-C prints the verdict so far', async () => {
    const { child, ended, printed } = start(['--spec', 'queue', '--json', '--interval', '50ms']);
    child.stdin.write(GOOD);
    await printed('"events":5');
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ events }) => events === 5)).toEqual({
      file: '-',
      soFar: 'linearizable',
      events: 5,
      operations: 3,
      open: 1,
      held: expect.any(Number),
    });
    expect(lines.at(-1)).toMatchObject({ verdict: 'linearizable', spec: 'queue', reason: 'interrupted' });
  });
});

test('a slow stream delays neither progress nor Ctrl-C', async () => {
  const spec = write(
    'slow.spec.ts',
    "export default { name: 'slow', initial: 0, methods: { f: (n) => { for (let end = Date.now() + 5; Date.now() < end; ); return [n + 1, undefined]; } } };",
  );
  const events = Array.from({ length: 2_000 }, () => [
    '{"type":"call","process":"A","method":"f"}',
    '{"type":"return","process":"A"}',
  ]);
  const file = write('heavy.jsonl', events.flat().join('\n'));
  const { child, ended, printed } = start([file, '--spec', spec, '--json', '--interval', '20ms']);
  await printed('soFar');
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
  expect(code).toBe(130);
  expect(last).toMatchObject({ verdict: 'linearizable', reason: 'interrupted' });
  expect(last.events).toBeLessThan(4_000);
});

describe('a file that grows', () => {
  test('is followed until a violation', async () => {
    const file = write('growing.jsonl', GOOD);
    const { ended, printed } = start([file, '--follow', '--spec', 'queue', '--json', '--interval', '50ms']);
    await printed('"events":5');
    appendFileSync(file, end('B', 2));
    const { code, stdout } = await ended;
    expect(code).toBe(1);
    expect(stdout).toContain('"verdict":"violation"');
  });
  test('is awaited, and followed when a new file takes its name', async () => {
    const file = join(folder, 'rotated.jsonl');
    const { ended, printed } = start([file, '--follow', '--spec', 'queue', '--json', '--interval', '50ms']);
    await printed('"events":0');
    writeFileSync(file, GOOD);
    await printed('"events":5');
    renameSync(file, `${file}.1`);
    // written before the process that logs notices the new file
    appendFileSync(`${file}.1`, call('C', 'dequeue'));
    writeFileSync(file, end('C', 1) + end('B', 1));
    const { code, stdout } = await ended;
    expect(code).toBe(1);
    expect(stdout).toContain('"verdict":"violation"');
  });
  test('must not become shorter: events would be lost', async () => {
    const file = write('shorter.jsonl', GOOD);
    const { ended, printed } = start([file, '--follow', '--spec', 'queue', '--json', '--interval', '50ms']);
    await printed('"events":5');
    writeFileSync(file, '');
    expect(await ended).toMatchObject({ code: 2 });
  });
  test('is followed until Ctrl-C', async () => {
    const file = write('waiting.jsonl', GOOD);
    const { child, ended, printed } = start([
      file,
      '--follow',
      '--spec',
      'queue',
      '--json',
      '--interval',
      '50ms',
    ]);
    await printed('"events":5');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
  });
});

test('Ctrl-C ends the command although a spec never ends', async () => {
  const spec = write(
    'endless.spec.ts',
    "export default { name: 'endless', initial: 0, methods: { f: () => { for (;;); } } };",
  );
  const { child, ended, printed } = start(['--spec', spec, '--json', '--interval', '50ms']);
  await printed('"events":0');
  child.stdin.write(call('A', 'f'));
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  expect(code).toBe(130);
  expect(stdout.trim().split('\n').at(-1)).toContain('"reason":"interrupted"');
});
