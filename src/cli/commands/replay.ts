/** `straightedge replay` and `explain`: run a saved failure again, and find its root cause. */
import { type Command, Option } from '@commander-js/extra-typings';
import { parseTime } from '../../config/usage-error.js';
import { ASCII, HTML, JSON_OUTPUT, MAX_MEMORY, QUIET, timeoutOption } from '../common/flags.js';
import { REPORTER } from '../common/reporters.js';
import { interruptible, type Terminal } from '../common/terminal.js';
import { runExploration, toExplorationJob } from './run-exploration.js';

const EXIT_CODES = `Exit codes: 0 the failure no longer happens, 1 it happens, 2 invalid input,
            3 the code no longer follows the schedule, or a limit was reached, 70 unexpected error, 130 interrupted`;
const APPLY_CODES =
  'With --apply, 0 says that a patch was applied and the failing test passes, and 3 that none was applied.\n';

const REPLAY_DETAILS = `
Examples:
  npx straightedge replay .straightedge/failure-1.json
  npx straightedge replay se1.VYtBCoAwDAS --scenario jobs.scenario.ts

${EXIT_CODES}`;

const EXPLAIN_DETAILS = `
Examples:
  npx straightedge explain .straightedge/failure-1.json
  npx straightedge explain .straightedge/failure-1.json --patch
  npx straightedge explain .straightedge/failure-1.json --apply --test-command "npm test"
  npx straightedge explain .straightedge/failure-1.json --html why.html
  npx straightedge explain se1.VYtBCoAwDAS --scenario jobs.scenario.ts

${APPLY_CODES}
${EXIT_CODES}`;

export const define = (command: Command, terminal: Terminal): void =>
  addReplay(command.addHelpText('after', REPLAY_DETAILS), false, terminal);

export const defineExplain = (command: Command, terminal: Terminal): void =>
  addReplay(command.addHelpText('after', EXPLAIN_DETAILS), true, terminal);

const TEST_TIMEOUT = 600_000;

/** Flags of `explain` only. */
const addPatchFlags = (command: Command) =>
  command
    .optionsGroup('Patches:')
    .option('--patch', 'print patches of the source that hold in every schedule')
    .option('--apply', 'write the first patch to its file, and explore the failing test again')
    .option(
      '--test-command <command>',
      'run this command on a copy of the project with each patch; reject patches with which it fails',
    )
    .addOption(
      new Option('--test-timeout <time>', 'end each run of the test command after this time')
        .argParser<number>(parseTime)
        .default(TEST_TIMEOUT, '10m'),
    );

function addReplay(command: Command, isExplained: boolean, terminal: Terminal): void {
  if (isExplained) addPatchFlags(command);
  command
    .argument('<failure>', 'file that explore or a test saved, or the token that explore printed')
    .optionsGroup('Input:')
    .option(
      '--scenario <module>',
      'use this scenario module; required for a token and for a failure of a test',
    )
    .optionsGroup('Limits:')
    .addOption(timeoutOption())
    .option(...MAX_MEMORY)
    .optionsGroup('Output:')
    .option(...HTML)
    .option(...JSON_OUTPUT)
    .option(...REPORTER)
    .option(...QUIET)
    .option(...ASCII)
    .action(async (failure, flags) => {
      const { scenario } = flags;
      const {
        patch,
        apply = false,
        testCommand,
        testTimeout = TEST_TIMEOUT,
      } = flags as Partial<ReturnType<ReturnType<typeof addPatchFlags>['opts']>>;
      const isPatched = patch === true || apply || testCommand !== undefined;
      const patching = isPatched ? { isApplied: apply, testCommand, testTimeout } : undefined;
      terminal.exitCode = await interruptible((stop) => {
        const job = toExplorationJob(failure, flags, stop, terminal);
        return runExploration(
          { ...job, kind: 'replay', scenario, isExplained, patch: patching },
          flags,
          terminal,
        );
      });
    });
}
