/**
 * The address of a Redis server, the credentials for it, and the secret of the messages there, from the environment or a
 * file.
 *
 * Credentials go to Redis and nowhere else; the secret goes nowhere. Messages contain only `shown`, and an invalid address
 * or secret is not repeated.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { UsageError } from '../../config/usage-error.js';

export interface RedisAddress {
  /** Without credentials. */
  readonly shown: string;
  readonly options: {
    readonly host: string;
    readonly port: number;
    readonly db: number;
    readonly username?: string;
    readonly password?: string;
    readonly tls?: Record<string, never>;
  };
}

const EXPECTED =
  'expected redis://host:6379, or rediss:// for TLS, with the number of a database after it if not 0';
const USERNAME = 'STRAIGHTEDGE_REDIS_USERNAME';
const PASSWORD = 'STRAIGHTEDGE_REDIS_PASSWORD';
const PASSWORD_FILE = 'STRAIGHTEDGE_REDIS_PASSWORD_FILE';
const SECRET = 'STRAIGHTEDGE_REDIS_SECRET';
const SECRET_FILE = 'STRAIGHTEDGE_REDIS_SECRET_FILE';
const SECRET_BYTES = 32;
/** Characters: shorter secrets can be guessed. */
const LEAST_SECRET = 32;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

export function parseRedis(text: string, env: NodeJS.ProcessEnv = process.env): RedisAddress {
  if (!URL.canParse(text)) throw new UsageError(`invalid Redis address; ${EXPECTED}`);
  const { protocol, hostname, port, pathname, username, password } = new URL(text);
  if (!/^rediss?:$/.test(protocol) || hostname === '' || !/^(\/\d*)?$/.test(pathname))
    throw new UsageError(`invalid Redis address; ${EXPECTED}`);
  const db = Number(pathname.slice(1));
  const at = Number(port || 6379);
  const who = {
    username: decoded(username) || env[USERNAME],
    password: decoded(password) || env[PASSWORD] || contentOf(env, PASSWORD_FILE),
  };
  return {
    shown: `${protocol}//${hostname}:${at}${db === 0 ? '' : `/${db}`}`,
    options: {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: at,
      db,
      ...(who.username && { username: who.username }),
      ...(who.password && { password: who.password }),
      ...(protocol === 'rediss:' && { tls: {} }),
    },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(`invalid Redis address; ${EXPECTED}. In a user name or password, write % as %25`);
  }
}

/**
 * The secret of the messages in a Redis; undefined if there is none and this machine runs the Redis. Throws if another
 * machine does: others could write tasks and results there.
 */
export function secretFor(
  { shown, options }: RedisAddress,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const secret = env[SECRET]?.trim() || contentOf(env, SECRET_FILE);
  if (secret === undefined && isLoopback(options.host)) return undefined;
  if (secret === undefined)
    throw new UsageError(
      `${shown} is not on this machine, so tasks and results need a shared secret. Write one with "straightedge worker secret <file>", copy it to each machine, and name it in ${SECRET_FILE}`,
    );
  if (secret.length < LEAST_SECRET)
    throw new UsageError(
      `the secret in ${env[SECRET]?.trim() ? SECRET : SECRET_FILE} is too short; expected at least ${LEAST_SECRET} characters, as "straightedge worker secret <file>" writes`,
    );
  return secret;
}

/** Writes a new secret to a file that only its owner can read. */
export function writeSecret(path: string): void {
  try {
    writeFileSync(path, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'EEXIST' ? `${path} exists; name a new file` : `cannot write ${path}: ${code}`,
    );
  }
}

/** Names other than `localhost` need a lookup, whose result may change. */
function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host === 'localhost' : LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** The content of the file that a variable names; undefined if it names none. */
function contentOf(env: NodeJS.ProcessEnv, variable: string): string | undefined {
  const path = env[variable];
  if (!path) return undefined;
  let content: string;
  try {
    content = readFileSync(path, 'utf8').trim();
  } catch {
    throw new UsageError(`${variable} names ${path}, which cannot be read`);
  }
  if (content === '') throw new UsageError(`${variable} names ${path}, which is empty`);
  return content;
}
