/** The file and format of a converted history. The extension of the file determines the format, unless `--to` does. */
import { existsSync, statSync } from 'node:fs';
import { expectWritable, UsageError } from '../../config/usage-error.js';

/** Format to its name in messages. */
export const FORMAT_NAMES = {
  jsonl: 'JSON lines',
  edn: 'Jepsen EDN',
} as const;
export type FormatName = keyof typeof FORMAT_NAMES;

const ENDINGS: Readonly<Record<string, FormatName>> = {
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  edn: 'edn',
};

export interface Target {
  /** `-` is standard output. */
  readonly path: string;
  /** Written first and then renamed to `path`, so that no file is left incomplete. */
  readonly draft: string;
  readonly format: FormatName;
  readonly packed: boolean;
}

export function targetOf(
  path: string,
  flags: { readonly to?: string | undefined; readonly force?: boolean | undefined },
): Target {
  const [, ending] = /\.(\w+?)(?:\.gz)?$/.exec(path) ?? [];
  const packed = path.endsWith('.gz');
  const format = flags.to === undefined ? ENDINGS[ending ?? ''] : formatOf(flags.to);
  if (format === undefined)
    throw new UsageError(
      `unknown format of ${path === '-' ? 'standard output; expected' : `${path}; expected a file that ends in .jsonl or .edn, or`} --to ${Object.keys(FORMAT_NAMES).join(' or --to ')}`,
    );
  if (path !== '-') expectWritable(path);
  const found = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() && !flags.force) throw new UsageError(`${path} exists; --force overwrites it`);
  // a pipe or a device is written directly
  const draft = found && !found.isFile() ? path : freeName(path);
  return { path, draft, format, packed };
}

function formatOf(name: string): FormatName {
  if (Object.hasOwn(FORMAT_NAMES, name)) return name as FormatName;
  throw new UsageError(
    `unknown format ${JSON.stringify(name)}; expected ${Object.keys(FORMAT_NAMES).join(' or ')}`,
  );
}

function freeName(path: string): string {
  let number = 1;
  while (existsSync(`${path}.part${number}`)) number++;
  return `${path}.part${number}`;
}
