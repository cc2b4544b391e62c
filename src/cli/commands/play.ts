/** `straightedge play`: the playground, a page that this process serves to browsers of this machine. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '@commander-js/extra-typings';
import { packageFile } from '../../base/package-file.js';
import { systemFault } from '../../base/system-files.js';
import { EXIT, UsageError } from '../../config/usage-error.js';
import { interruptible, type Terminal } from '../common/terminal.js';

const DETAILS = `
Examples:
  npx straightedge play
  npx straightedge play --port 8080

Open the printed address in a browser. It has a token: requests without it are refused, as are those from other hosts
and other pages. Nothing is loaded from the network. Ctrl-C ends the server. See node_modules/straightedge/docs/guide/playground.md.

Exit codes: 0 ended, 2 invalid input, 70 unexpected error`;

const parsePort = (text: string): number => {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`invalid port ${JSON.stringify(text)}; expected a number up to 65535`);
};

/** Milliseconds between two looks at whether to stop. */
const LOOK_EVERY = 50;

export function define(command: Command, terminal: Terminal): void {
  command
    .optionsGroup('Server:')
    .option('--port <n>', 'serve at this port of the loopback interface (default: a free one)', parsePort)
    .addHelpText('after', DETAILS)
    .action(async ({ port = 0 }) => {
      const server = servePlayground(port);
      try {
        await once(server.http, 'listening');
      } catch (error) {
        throw new UsageError(
          `cannot serve at port ${port}: ${systemFault(error) ?? (error as Error).message}`,
        );
      }
      terminal.stdout.write(`Playground: ${server.address()}\nCtrl-C ends it.\n`);
      await interruptible(async (stop) => {
        while (Atomics.load(stop, 0) === 0) await sleep(LOOK_EVERY);
      });
      server.http.closeAllConnections();
      server.http.close();
      terminal.exitCode = EXIT.holds;
    });
}

// The server of the playground, on the loopback interface.
//
// Other users and other pages of the same machine can reach that interface too. So a request needs the token of the
// address, the name of this host, and no origin but this page; a page of another site cannot even read an answer.
//
// A scenario is explored in a process of its own: user code may never return, take all memory or end its process. One runs at
// a time; a new one replaces it.

const LOOPBACK = '127.0.0.1';
/** Where the data of the page stands in its file. */
const PLACE = '"the data"';

/** Bytes of a scenario. */
const MAX_LENGTH = 100_000;

const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export interface PlaygroundServer {
  readonly http: Server;
  /** The address with the token, once the server listens. */
  readonly address: () => string;
}

export function servePlayground(port: number): PlaygroundServer {
  const run = new PlaygroundRun();
  const token = randomBytes(24).toString('base64url');
  const http = createServer((request, response) => {
    const own = (http.address() as AddressInfo).port;
    const fault = refusal(request, own, token);
    if (fault !== undefined) return send(response, 403, 'text/plain', `${fault}\n`);
    const { pathname } = pathOf(request);
    if (request.method === 'GET' && pathname === '/')
      return send(response, 200, 'text/html; charset=utf-8', page());
    if (request.method === 'POST' && pathname === '/explore') return void explore(request, response, run);
    return send(response, 404, 'text/plain', 'The playground has no such page.\n');
  });
  http.on('close', () => run.end());
  http.listen(port, LOOPBACK);
  return {
    http,
    address: () => `http://${LOOPBACK}:${(http.address() as AddressInfo).port}/?token=${token}`,
  };
}

/** Reads a scenario and answers with what exploring it gives. */
async function explore(
  request: IncomingMessage,
  response: ServerResponse,
  run: PlaygroundRun,
): Promise<void> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > MAX_LENGTH) return send(response, 413, 'text/plain', 'The text is too long.\n');
      pieces.push(piece);
    }
    const answer = await run.explore(Buffer.concat(pieces).toString());
    send(response, 200, 'application/json', JSON.stringify(answer));
  } catch (error) {
    send(response, 500, 'text/plain', `${(error as Error).message}\n`);
  }
}

/** Why a request is refused; undefined if it is not. */
function refusal(request: IncomingMessage, port: number, token: string): string | undefined {
  const { host, origin } = request.headers;
  const hosts = [`${LOOPBACK}:${port}`, `localhost:${port}`];
  if (host === undefined || !hosts.includes(host)) return 'This server answers at its own address only.';
  if (origin !== undefined && origin !== `http://${host}`) return 'Requests of other pages are refused.';
  if (!isToken(pathOf(request).searchParams.get('token') ?? '', token))
    return 'The token is missing or incorrect; use the address that the command printed.';
  return undefined;
}

/** The path and the query; a request may have anything in their place. */
const pathOf = ({ url = '/' }: IncomingMessage): URL =>
  new URL(URL.canParse(url, `http://${LOOPBACK}`) ? url : '/', `http://${LOOPBACK}`);

/** Takes as long for every wrong token. */
function isToken(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The page, in which schedules can be explored: it may ask this server. */
const page = (): string =>
  readFileSync(packageFile('#playground'), 'utf8')
    .replace(PLACE, '{}')
    .replace("connect-src 'none'", "connect-src 'self'");

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type });
  response.end(body);
}

/** The names of the files, which reports mention. */
const SCENARIO = 'scenario.ts';
const REPORT = 'report.html';
/** Limits of the command, and milliseconds after which its process is ended. */
const SECONDS = 8;
const MEGABYTES = 512;
const SCENARIO_ARGS = (): string[] => {
  const main = join(dirname(packageFile('straightedge/package.json')), 'dist/cli/main.js');
  const limits = ['--timeout', `${SECONDS}s`, '--max-memory', `${MEGABYTES}mb`, '--jobs', '1'];
  return [main, 'explore', SCENARIO, ...limits, '--quiet', '--no-config', '--html', REPORT];
};
const TEST_ARGS = (): string[] => [
  `--max-old-space-size=${MEGABYTES}`,
  packageFile('#playground-test'),
  SCENARIO,
  REPORT,
  String(SECONDS * 1_000),
];
const ANSWER_TIME = 20_000;
/** The data in the report. */
const DATA = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/;

/** Such a text has tests; another one has a scenario. */
const HAS_TESTS = /\beverySchedule\b/;

/** What the page receives: the data of a report, or why there is none. */
type Explored =
  | { readonly kind: 'checked'; readonly data: unknown }
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly line?: number | undefined;
      readonly column?: number | undefined;
    };

class PlaygroundRun {
  #child: ChildProcess | undefined;

  /** Ends what runs. */
  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async explore(text: string): Promise<Explored> {
    this.end();
    const folder = mkdtempSync(join(tmpdir(), 'straightedge-play-'));
    try {
      writeFileSync(join(folder, SCENARIO), text);
      return await this.#run(folder, HAS_TESTS.test(text));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  async #run(cwd: string, hasTests: boolean): Promise<Explored> {
    const child = spawn(process.execPath, hasTests ? TEST_ARGS() : SCENARIO_ARGS(), {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    });
    this.#child = child;
    let said = '';
    child.stderr.on('data', (piece) => {
      said = `${said}${piece}`.slice(-10_000);
    });
    let isLate = false;
    const alarm = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, ANSWER_TIME);
    await once(child, 'close').finally(() => clearTimeout(alarm));
    if (this.#child === child) this.#child = undefined;
    else return { kind: 'refused', message: 'Replaced by a newer text.' };
    const report = join(cwd, REPORT);
    const written = existsSync(report) ? readFileSync(report, 'utf8') : '';
    const data = hasTests ? written || undefined : DATA.exec(written)?.[1];
    if (data !== undefined) return { kind: 'checked', data: JSON.parse(data) as unknown };
    return isLate
      ? { kind: 'refused', message: `No answer within ${ANSWER_TIME / 1_000} s; the run was ended.` }
      : refused(said);
  }
}

/** The error that the command printed, and where it is. What user code printed comes first. */
function refused(said: string): Explored {
  const message =
    /^error: ([\s\S]*)/m.exec(said)?.[1].trim() ??
    'The time or memory limit was reached before there was a report. The code may have an endless loop, or this machine is busy.';
  const [, line, column] = new RegExp(`${SCENARIO}:(\\d+):(\\d+)`).exec(message) ?? [];
  return {
    kind: 'refused',
    message: message.replace(`cannot load ${SCENARIO}: `, '').replace(/ \S*scenario\.ts:\d+:\d+$/, ''),
    ...(line !== undefined && { line: Number(line), column: Number(column) }),
  };
}
