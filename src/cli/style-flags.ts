/** How a report looks, by flags and by where it goes. */
import type { JobStyle } from './job.js';

export const styleFlags = ({ ascii = false }: { readonly ascii?: boolean }): JobStyle => ({
  colour: (process.stdout.isTTY && !process.env.NO_COLOR) || process.env.FORCE_COLOR === '1',
  ascii,
  width: process.stdout.columns ?? (Number(process.env.COLUMNS) || 100),
});
