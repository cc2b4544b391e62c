import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseRedis, secretFor, writeSecret } from './address.js';

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

  test.each([
    'box:6379',
    'http://box',
    'redis://',
    'redis://me:hunter2@box/first',
    'hunter2',
    'redis://me:hunter2%@box',
    'redis://%hunter2@box',
  ])('is refused and not repeated: %s', (text) => {
    expect(() => parseRedis(text, {})).toThrow(/^invalid Redis address; expected redis:\/\/host:6379/);
    expect(() => parseRedis(text, {})).not.toThrow(/hunter2/);
  });
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

  test('a missing file is named', () => {
    const absent = join(folder, 'absent');
    expect(() => parseRedis('redis://box', { STRAIGHTEDGE_REDIS_PASSWORD_FILE: absent })).toThrow(absent);
  });
});

describe('the secret of the messages', () => {
  const SECRET = 'hunter2-hunter2-hunter2-hunter2-hunter2';
  const file = join(folder, 'secret');
  writeFileSync(file, `${SECRET}\n`);
  const empty = join(folder, 'empty');
  writeFileSync(empty, ' \n');
  const secret = (host: string, env: NodeJS.ProcessEnv) => secretFor(parseRedis(`redis://${host}`, {}), env);
  const OWN = ['127.0.0.1', '127.8.9.10', '127.255.255.255', 'localhost', '[::1]', '[::ffff:127.0.0.1]'];
  const OTHER =
    'box 10.0.0.1 126.255.255.255 128.0.0.1 0.0.0.0 127.1 2130706433 0x7f000001 0177.0.0.1 127.0.0.1.example.org localhost.example.org localhost. notlocalhost [::] [::2] [::ffff:10.0.0.1] [fe80::1]'.split(
      ' ',
    );

  test.each(OWN)('is not needed for a Redis on this machine: %s', (host) => {
    expect(secret(host, {})).toBeUndefined();
  });

  test.each(OTHER)('is needed for any other: %s', (host) => {
    expect(() => secret(host, {})).toThrow('tasks and results need a shared secret');
    expect(() => secret(host, { STRAIGHTEDGE_REDIS_SECRET: ' ' })).toThrow('need a shared secret');
  });

  test.each([...OWN, ...OTHER])('comes from the environment or a file: %s', (host) => {
    expect(secret(host, { STRAIGHTEDGE_REDIS_SECRET: SECRET })).toBe(SECRET);
    expect(secret(host, { STRAIGHTEDGE_REDIS_SECRET_FILE: file })).toBe(SECRET);
  });

  test.each([...OWN, ...OTHER])(
    'is refused if it is short, empty or cannot be read, and not repeated: %s',
    (host) => {
      const short = SECRET.slice(0, 31);
      expect(() => secret(host, { STRAIGHTEDGE_REDIS_SECRET: short })).toThrow(
        'STRAIGHTEDGE_REDIS_SECRET is too short',
      );
      expect(() => secret(host, { STRAIGHTEDGE_REDIS_SECRET: short })).not.toThrow('hunter2');
      expect(() => secret(host, { STRAIGHTEDGE_REDIS_SECRET_FILE: empty })).toThrow('which is empty');
      expect(() => secret(host, { STRAIGHTEDGE_REDIS_SECRET_FILE: folder })).toThrow('cannot be read');
    },
  );

  test('is written to a new file that only its owner can read', () => {
    const [one, other] = ['one', 'other'].map((name) => join(folder, name));
    for (const path of [one, other]) writeSecret(path);
    const [first, second] = [one, other].map((path) => readFileSync(path, 'utf8'));
    expect(first).toMatch(/^[\w-]{43}\n$/);
    expect(second).not.toBe(first);
    expect(statSync(one).mode & 0o777).toBe(0o600);
    expect(secret('box', { STRAIGHTEDGE_REDIS_SECRET_FILE: one })).toBe(first.trim());
    expect(() => writeSecret(one)).toThrow('exists');
    expect(readFileSync(one, 'utf8')).toBe(first);
    expect(() => writeSecret(join(folder, 'absent/secret'))).toThrow('cannot write');
  });
});
