/**
 * The command line, from arguments to an exit code.
 *
 * The module of a command is loaded when the command is called: it adds arguments, flags and the action.
 */
import { Command, CommanderError } from '@commander-js/extra-typings';
import { loadConfig } from '../config/load-config.js';
import { EXIT, UsageError } from '../config/usage-error.js';
import { type Terminal, VERSION } from './common/terminal.js';
import { nameFlags, setFlags } from './config-flags.js';

interface CommandModule {
  define(command: Command, terminal: Terminal): void;
}

type CommandRow = readonly [description: string, load: () => Promise<CommandModule>];

const COMMANDS: Readonly<Record<string, CommandRow>> = {
  check: ['Check recorded histories for linearizability.', () => import('./commands/check.js')],
  view: ['Draw a history as an HTML page, without checking it.', () => import('./commands/view.js')],
  monitor: [
    'Check events as they arrive; stop at the first violation.',
    () => import('./commands/monitor.js'),
  ],
  convert: ['Convert a history to another format.', () => import('./commands/convert.js')],
  init: ['Write a first scenario and a test for a class.', () => import('./commands/init.js')],
  explore: [
    'Explore the schedules of a scenario and report the first violation.',
    () => import('./commands/explore.js'),
  ],
  stress: [
    'Run a scenario with real concurrency and check each recorded round.',
    () => import('./commands/stress.js'),
  ],
  replay: ['Run a saved failure again.', () => import('./commands/replay.js')],
  explain: [
    'Find the lines that must be atomic to prevent a saved failure.',
    () => import('./commands/replay.js').then(({ defineExplain }) => ({ define: defineExplain })),
  ],
  worker: [
    'Run tasks of check, explore and stress from a Redis queue.',
    () => import('./commands/worker.js'),
  ],
};

/** Runs one command line without the name of the program; usage errors go to `terminal.stderr`. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(helpAsFlag(argv), { from: 'user' });
    return Number(terminal.exitCode ?? EXIT.holds);
  } catch (error) {
    if (error instanceof UsageError) terminal.stderr.write(`error: ${error.message}\n`);
    else if (!(error instanceof CommanderError)) throw error;
    return error instanceof CommanderError && error.exitCode === 0 ? EXIT.holds : EXIT.badInput;
  }
}

/** The program. Arguments and flags of a command are added when it is called. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('straightedge')
    .description(
      'Find concurrency bugs: check recorded histories, and explore or stress concurrent code, for linearizability.',
    )
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('(use --help for arguments and flags)')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
      getErrHelpWidth: () => terminal.stderr.columns ?? 100,
    })
    .hook('preSubcommand', async (_, command) => {
      const { define } = await COMMANDS[command.name()][1]();
      define(command as unknown as Command, terminal);
      command.optionsGroup('Configuration:').option('--no-config', 'load no straightedge.config file');
      nameFlags(command);
    })
    // a configuration is code: it runs only if the command does
    .hook('preAction', async (_, command) => {
      if (command.opts().config !== true) return;
      const loaded = await loadConfig(process.cwd());
      if (loaded) setFlags(command, loaded);
    });
  for (const [name, [description]] of Object.entries(COMMANDS))
    program.command(name).description(description);
  return program;
}

/** `help check` becomes `check --help`, so that the module of the command is loaded. */
function helpAsFlag([first, second, ...rest]: readonly string[]): string[] {
  if (first === 'help' && second !== undefined && Object.hasOwn(COMMANDS, second)) return [second, '--help'];
  return [first, second, ...rest].filter((argument) => argument !== undefined);
}
