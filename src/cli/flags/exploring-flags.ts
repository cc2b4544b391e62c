import { type Command, Option } from 'commander';
import { parseSize, parseTime } from '../../config/usage-error.js';
import { MEMORY } from '../../jobs/load/parse-flags.js';
import type { Reporter } from './reporters.js';

export interface ExploringFlags {
  readonly timeout: number;
  readonly maxMemory?: number;
  readonly json?: boolean;
  readonly reporter?: readonly Reporter[];
  readonly quiet?: boolean;
  readonly ascii?: boolean;
  readonly report?: string;
}

/** The flags that all commands of the explorer have. */
export const addExploringFlags = (command: Command): Command =>
  command
    .addOption(
      new Option('--timeout <time>', 'how long it may take: 500ms, 60s, 5m')
        .argParser(parseTime)
        .default(60_000, '60s'),
    )
    .option('--max-memory <size>', MEMORY, parseSize)
    .option('--json', 'for programs: one JSON document')
    .option('--quiet', 'print errors only')
    .option('--ascii', 'draw without box-drawing characters');
