import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseRedis } from './address.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-address-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('an address', () => {
  test.each([
    ['redis://box', 'redis://box:6379', { host: 'box', port: 6379, db: 0 }],
    ['redis://box:7000/3', 'redis://box:7000/3', { host: 'box', port: 7000, db: 3 }],
    ['rediss://box:7000', 'rediss://box:7000', { host: 'box', port: 7000, db: 0, tls: {} }],
    ['redis://[::1]:7000', 'redis://[::1]:7000', { host: '::1', port: 7000, db: 0 }],
    [
      'redis://me:p%40ss@box',
      'redis://box:6379',
      { host: 'box', port: 6379, db: 0, username: 'me', password: 'p@ss' },
    ],
  ])('%s', (text, shown, options) => {
    expect(parseRedis(text, {})).toEqual({ shown, options });
  });

  test.each(['box:6379', 'http://box', 'redis://', 'redis://me:hunter2@box/first', 'hunter2'])(
    'refused without being repeated: %s',
    (text) => {
      expect(() => parseRedis(text, {})).toThrow(/^invalid Redis address; expected redis:\/\/host:6379/);
      expect(() => parseRedis(text, {})).not.toThrow(/hunter2/);
    },
  );
});

describe('credentials', () => {
  const file = join(folder, 'password');
  writeFileSync(file, 'from a file\n');

  test.each([
    ['the environment', 'redis://box', { STRAIGHTEDGE_REDIS_PASSWORD: 'here' }, 'here'],
    ['a file', 'redis://box', { STRAIGHTEDGE_REDIS_PASSWORD_FILE: file }, 'from a file'],
    ['the address over the others', 'redis://:own@box', { STRAIGHTEDGE_REDIS_PASSWORD: 'here' }, 'own'],
  ])('from %s', (_, text, env, password) => {
    expect(parseRedis(text, env).options.password).toBe(password);
  });

  test('a file that is not there is named', () => {
    const absent = join(folder, 'absent');
    expect(() => parseRedis('redis://box', { STRAIGHTEDGE_REDIS_PASSWORD_FILE: absent })).toThrow(absent);
  });
});
