/** What a setting says, as `read` has it; what that refuses is told with the names of the file and of the setting. */
import { UsageError } from './usage-error.js';

export function readSetting<T>(file: string, name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${file}: ${name}: ${error.message}`) : error;
  }
}
