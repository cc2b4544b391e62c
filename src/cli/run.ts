/**
 * The command line, from arguments to an exit code.
 *
 * The module of a command is loaded when the command is called: it adds arguments, flags and the action. Settings of
 * `straightedge.config.ts` become values of flags; a flag on the command line replaces its setting, also if the flag may
 * be repeated.
 */
import { resolve } from 'node:path';
import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { InputError, thrownText } from '../base/errors.js';
import { systemFault } from '../base/system-files.js';
import { printable } from '../base/values/show.js';
import { type LoadedConfig, loadConfig } from '../config/load-config.js';
import { EXIT, readSetting, UsageError, unexpectedText } from '../config/usage-error.js';
import { SearchTimeout } from './common/files.js';
import { safeTerminal, type Terminal, VERSION } from './common/terminal.js';

/** The parsers of flags whose errors do not name the flag: an error in a setting names the setting. */
const PARSERS = new WeakMap<object, (text: string, before: unknown) => unknown>();

/** Adds the name of the flag to the usage errors of its parser. */
function nameFlags({ options }: CommandUnknownOpts): void {
  for (const option of options) {
    const { parseArg, long } = option;
    if (!parseArg) continue;
    PARSERS.set(option, parseArg);
    option.argParser((text: string, before: unknown) => {
      try {
        return parseArg(text, before);
      } catch (error) {
        throw error instanceof UsageError ? new UsageError(`${long}: ${error.message}`) : error;
      }
    });
  }
}

/** Gives each flag that was not typed the value that its setting has. */
export function setFlags(command: CommandUnknownOpts, loaded: LoadedConfig): void {
  const settings = toArguments(loaded, command.name());
  for (const option of command.options) {
    const name = option.attributeName();
    const given = Object.hasOwn(settings, name) ? settings[name] : [];
    if (given.length === 0 || command.getOptionValueSource(name) === 'cli') continue;
    const parse = PARSERS.get(option) ?? option.parseArg ?? ((text: string) => text);
    const value = readSetting(loaded.file, name, () =>
      given.reduce<unknown>((before, text) => parse(text, before), undefined),
    );
    command.setOptionValueWithSource(name, value, 'config');
  }
}

/** Converts each setting to the arguments of its flag. */
function toArguments(
  { config, folder }: LoadedConfig,
  command: string,
): Readonly<Record<string, readonly string[]>> {
  const { spec = {}, timeout = [], maxMemory = [], jobs = [], seed = [], reporter = [] } = config;
  // the flag of `check` limits a whole check
  const { maxSteps = [] } = command === 'explore' ? config : {};
  return {
    spec: typeof spec === 'string' ? [resolveSpec(folder, spec)] : toPairs(folder, spec),
    timeout: [timeout].flat(),
    maxMemory: [maxMemory].flat(),
    maxSteps: [maxSteps].flat().map(String),
    jobs: [jobs].flat().map(String),
    seed: [seed].flat().map(String),
    reporter: [reporter].flat().map((text) => resolveReporter(folder, text)),
  };
}

function toPairs(folder: string, specs: Readonly<Record<string, string>>): string[] {
  const pairs = Object.entries(specs).map(([object, spec]) => `${object}=${resolveSpec(folder, spec)}`);
  return pairs.length === 0 ? [] : [pairs.join()];
}

/** A path is relative to the configuration file; a name is the name of an object. */
const resolveSpec = (folder: string, spec: string): string =>
  /^\.{1,2}\//.test(spec) ? resolve(folder, spec) : spec;

/** The file of `junit=report.xml` is relative to the configuration file. */
const resolveReporter = (folder: string, reporter: string): string =>
  reporter.replace(/(?<==).+$/, (file) => resolve(folder, file));

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
  play: [
    'Serve a page on which you write histories and small classes and see their verdicts.',
    () => import('./commands/play.js'),
  ],
  worker: [
    'Run tasks of check, explore and stress from a Redis queue.',
    () => import('./commands/worker.js'),
  ],
};

/** Prints the stack of an unexpected error, wherever it stands on the command line. */
const DEBUG = '--debug';

/** Runs one command line without the name of the program. Never throws: errors go to `terminal.stderr`. */
export async function run(argv: readonly string[], given: Terminal): Promise<number> {
  const terminal = safeTerminal(given);
  terminal.isDebug = argv.includes(DEBUG);
  try {
    const own = argv.filter((argument) => argument !== DEBUG);
    await createProgram(terminal).parseAsync(helpAsFlag(own), { from: 'user' });
    return Number(terminal.exitCode ?? EXIT.holds);
  } catch (error) {
    return failed(error, terminal);
  }
}

/** Reports an error in one line, and returns its exit code. */
function failed(error: unknown, { stderr, isDebug }: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.holds : EXIT.badInput;
  const print = (text: string) => stderr.write(`error: ${text}\n`);
  if (error instanceof InputError) {
    print(error.message);
    return error instanceof SearchTimeout ? EXIT.undecided : EXIT.badInput;
  }
  if (isDebug) stderr.write(`${thrownText(error, 'stack')}\n`);
  const fault = systemFault(error);
  if (fault === undefined) {
    print(unexpectedText(thrownText(error)));
    return EXIT.internal;
  }
  const { path } = error as NodeJS.ErrnoException;
  print(path === undefined ? fault : `${printable(path)}: ${fault}`);
  return EXIT.badInput;
}

/** The program. Arguments and flags of a command are added when it is called. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('straightedge')
    .description(
      'Find concurrency bugs: check recorded histories, and explore or stress concurrent code, for linearizability.',
    )
    .version(VERSION)
    .option(DEBUG, 'print the stack of an unexpected error; works with every command')
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
      const loaded = loadConfig(process.cwd());
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
