/** How a report may look where it is printed. */
import type { CheckJob } from '../../jobs/model/job.js';

export const terminalStyle = (ascii: boolean): CheckJob['style'] => ({
  colour: (process.stdout.isTTY && !process.env.NO_COLOR) || process.env.FORCE_COLOR === '1',
  ascii,
  width: process.stdout.columns ?? (Number(process.env.COLUMNS) || 100),
});
