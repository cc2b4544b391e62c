/** The recorders for other languages that the package ships: what they write is a history with the outcomes of the calls. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readHistory } from '../../src/formats/read-history.js';
import type { History } from '../../src/history/history.js';
import { ROOT } from '../support/processes/pages.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-recorders-'));
afterAll(() => rmSync(folder, { recursive: true }));
const recorder = (name: string) => join(ROOT, 'examples/04-record-a-class', name);

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

const isInstalled = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;

/** Four threads make two calls each; then one call has each of the other outcomes. */
function expectRecorded(history: History): void {
  const rows = Array.from(history, ({ process, method, args, outcome }) => [process, method, args, outcome]);
  for (const thread of [0, 1, 2, 3])
    expect(rows.filter(([process]) => process === `client ${thread}`)).toEqual([
      [`client ${thread}`, 'put', ['ä"\n', thread], { kind: 'returned', value: null }],
      [`client ${thread}`, 'get', ['ä"\n'], { kind: 'returned', value: { thread } }],
    ]);
  const last = rows.filter(([process]) => process === 'last').map(([, , , outcome]) => outcome);
  expect(last).toMatchObject([{ kind: 'threw', error: 'Missing' }, { kind: 'failed' }, { kind: 'pending' }]);
  expect(history.annotations.map(({ text }) => text)).toEqual(['node 2 killed']);
}

const PYTHON = `
import threading
from recorder import Recorder

class Missing(Exception): pass

recorder = Recorder("history.jsonl", threw=[Missing], failed=[ConnectionRefusedError])
key = 'ä"\\n'

def client(n):
    recorder.call(f"client {n}", "put", key, n, run=lambda: None)
    assert recorder.call(f"client {n}", "get", key, run=lambda: {"thread": n}) == {"thread": n}

threads = [threading.Thread(target=client, args=[n]) for n in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()

def fail(error):
    raise error

recorder.annotate("node 2 killed")
for error in [Missing(), ConnectionRefusedError(), TimeoutError()]:
    try:
        recorder.call("last", "get", key, run=lambda: fail(error))
        assert False
    except (Missing, OSError):
        pass
recorder.close()
`;

const GO = `package main

import (
	"errors"
	"sync"

	"example/recorder"
)

func main() {
	r, err := recorder.New("history.jsonl")
	if err != nil {
		panic(err)
	}
	missing, refused := errors.New("missing"), errors.New("refused")
	r.Threw = map[string]error{"Missing": missing}
	r.Failed = []error{refused}
	key := "ä\\"\\n"
	var all sync.WaitGroup
	for n := 0; n < 4; n++ {
		all.Add(1)
		go func(n int) {
			defer all.Done()
			client := "client " + string(rune('0'+n))
			recorder.Call(r, client, "put", []any{key, n}, func() (any, error) { return nil, nil })
			recorder.Call(r, client, "get", []any{key}, func() (map[string]int, error) { return map[string]int{"thread": n}, nil })
		}(n)
	}
	all.Wait()
	r.Annotate("node 2 killed")
	for _, own := range []error{missing, refused, errors.New("timeout")} {
		recorder.Call(r, "last", "get", []any{key}, func() (any, error) { return nil, own })
	}
	if err := r.Close(); err != nil {
		panic(err)
	}
}
`;

describe.skipIf(!isInstalled('python3', '--version'))('recorder.py', () => {
  test('records calls of threads and their outcomes', async () => {
    const own = join(folder, 'python');
    mkdirSync(own);
    cpSync(recorder('recorder.py'), join(own, 'recorder.py'));
    writeFileSync(join(own, 'main.py'), PYTHON);
    expect(run('python3', ['main.py'], own)).toBe('');
    expectRecorded(await readHistory(join(own, 'history.jsonl')));
  });
});

describe.skipIf(!isInstalled('go', 'version'))('recorder.go', () => {
  test('records calls of goroutines and their outcomes', async () => {
    const own = join(folder, 'go');
    mkdirSync(join(own, 'recorder'), { recursive: true });
    cpSync(recorder('recorder.go'), join(own, 'recorder/recorder.go'));
    writeFileSync(join(own, 'main.go'), GO);
    writeFileSync(join(own, 'go.mod'), 'module example\n\ngo 1.18\n');
    expect(run('go', ['vet', './...'], own)).toBe('');
    expect(run('go', ['run', '.'], own)).toBe('');
    expectRecorded(await readHistory(join(own, 'history.jsonl')));
  });
});
