#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
/** `straightedge <command>`. */
import { loadConfig } from '../config/load-config.js';
import { UsageError } from '../config/usage-error.js';
import { EXIT } from '../jobs/model/command-result.js';
import { checkCommand } from './commands/check.js';
import { convertCommand } from './commands/convert.js';
import { exploreCommand } from './commands/explore.js';
import { initCommand } from './commands/init.js';
import { monitorCommand } from './commands/monitor.js';
import { explainCommand, replayCommand } from './commands/replay.js';
import { stressCommand } from './commands/stress.js';
import { viewCommand } from './commands/view.js';
import { fleetCommand, workerCommand } from './commands/worker.js';
import { nameFlags, setFlags } from './config-flags.js';
import { VERSION } from './terminal/progress.js';

const program = new Command('straightedge')
  .description(
    'Is a concurrent object linearizable? An order that explains what happened, or the reason why there is none.',
  )
  .version(VERSION)
  .addCommand(checkCommand())
  .addCommand(viewCommand())
  .addCommand(monitorCommand())
  .addCommand(convertCommand())
  .addCommand(initCommand())
  .addCommand(exploreCommand())
  .addCommand(stressCommand())
  .addCommand(replayCommand())
  .addCommand(explainCommand())
  .addCommand(workerCommand(VERSION))
  .addCommand(fleetCommand())
  .hook('preSubcommand', async (_, command) => {
    const loaded = await loadConfig(process.cwd());
    if (loaded) setFlags(command, loaded);
    nameFlags(command);
  });
for (const command of [program, ...program.commands])
  command.exitOverride().showHelpAfterError('(--help tells more)');

// whoever reads may stop reading, as `head` does: the rest is not printed, the exit code stays
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`error: ${error.message}\n`);
  else if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? EXIT.holds : EXIT.badInput;
}
