/**
 * The address of a Redis server, with credentials from the address, the environment or a file.
 *
 * Credentials go to Redis and nowhere else: messages contain only `shown`, and an invalid address is not repeated.
 */
import { readFileSync } from 'node:fs';
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

export function parseRedis(text: string, env: NodeJS.ProcessEnv = process.env): RedisAddress {
  if (!URL.canParse(text)) throw new UsageError(`invalid Redis address; ${EXPECTED}`);
  const { protocol, hostname, port, pathname, username, password } = new URL(text);
  if (!/^rediss?:$/.test(protocol) || hostname === '' || !/^(\/\d*)?$/.test(pathname))
    throw new UsageError(`invalid Redis address; ${EXPECTED}`);
  const db = Number(pathname.slice(1));
  const at = Number(port || 6379);
  const who = {
    username: decodeURIComponent(username) || env[USERNAME],
    password: decodeURIComponent(password) || env[PASSWORD] || passwordIn(env[PASSWORD_FILE]),
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

function passwordIn(path: string | undefined): string | undefined {
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    throw new UsageError(`${PASSWORD_FILE} names ${path}, which cannot be read`);
  }
}
