/** `straightedge play`: the playground, a page that this process serves to browsers of this machine. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '@commander-js/extra-typings';
import { systemFault } from '../../base/system-files.js';
import { EXIT, UsageError } from '../../config/usage-error.js';
import { servePlayground } from '../common/playground-server.js';
import { interruptible, type Terminal } from '../common/terminal.js';

const DETAILS = `
Examples:
  npx straightedge play
  npx straightedge play --port 8080

Open the printed address in a browser. It has a token: requests without it are refused, as are those from other hosts
and other pages. Nothing is loaded from the network. Ctrl-C ends the server. See docs/guide/playground.md.

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
