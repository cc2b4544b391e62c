/** What is wrong with a flag's text is told with the name of the flag. */
import type { Command } from 'commander';
import { UsageError } from '../../config/usage-error.js';

export function nameFlags({ options }: Command): void {
  for (const option of options) {
    const { parseArg, long } = option;
    if (!parseArg) continue;
    option.argParser((text, before) => {
      try {
        return parseArg(text, before);
      } catch (error) {
        throw error instanceof UsageError ? new UsageError(`${long}: ${error.message}`) : error;
      }
    });
  }
}
