import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { expectExisting } from './usage-error.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
writeFileSync(at('file'), '');
symlinkSync('file', at('link'));
symlinkSync('loop', at('loop'));
symlinkSync('/dev/zero', at('zero'));
execFileSync('mkfifo', [at('pipe')]);

test.each([
  ['file', undefined],
  ['link', undefined],
  ['.', /is a folder; expected a file$/],
  ['pipe', /is a named pipe; expected a file$/],
  ['zero', /is a device; expected a file$/],
  ['loop', /: its symbolic links form a loop; expected a scenario$/],
  ['file/more', /: a part of the path is not a folder; expected a scenario$/],
  ['n'.repeat(300), /: the name is too long; expected a scenario$/],
  ['absent', /: no such file; expected a scenario$/],
])('a file to be read at once: %s', (name, message) => {
  const expectIt = () => expectExisting(at(name), 'scenario');
  if (message === undefined) expectIt();
  else expect(expectIt).toThrow(message);
});
