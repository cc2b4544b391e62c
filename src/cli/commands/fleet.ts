/** `straightedge fleet`: who works, what waits, what was set aside; `fleet clean` removes what we have in Redis. */
import { Command } from 'commander';
import { printable } from '../../base/values/show.js';
import { cleanFleet, type FleetState, lookAtFleet } from '../../jobs/redis/fleet-status.js';

const EXAMPLES = `
Examples:
  straightedge fleet redis://box:6379
  straightedge fleet redis://box:6379 --json
  straightedge fleet clean redis://box:6379`;

export function fleetCommand(): Command {
  const clean = new Command('clean')
    .exitOverride()
    .description('removes our keys from a Redis, and no others: tasks, results, what workers say')
    .argument('<address>', 'redis://host:6379')
    .action(async (address: string) => {
      const { keys, address: shown } = await cleanFleet(address);
      process.stdout.write(`${keys} keys removed from ${shown}\n`);
    });
  return new Command('fleet')
    .description('shows the workers of a fleet, its queue and what failed')
    .argument('<address>', 'redis://host:6379, or rediss:// for TLS')
    .option('--json', 'for programs: one JSON document')
    .addCommand(clean)
    .addHelpText('after', EXAMPLES)
    .action(async (address: string, { json }: { readonly json?: boolean }) => {
      const state = await lookAtFleet(address);
      process.stdout.write(json ? `${JSON.stringify(state)}\n` : textOf(state));
    });
}

function textOf({ address, workers, tasks, setAside }: FleetState): string {
  const lines = [
    `${address}: ${workers.length === 1 ? '1 worker' : `${workers.length} workers`}`,
    ...workers.map(
      ({ id, jobs, done, failed, version }) =>
        `  ${id}  ${jobs} at once, ${done} done, ${failed} failed, version ${version}`,
    ),
    `tasks: ${Object.entries(tasks)
      .map(([state, count]) => `${count} ${state}`)
      .join(', ')}`,
    ...setAside.map(({ file, task, why }) => `  set aside: ${task} of ${file}: ${why}`),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}
