/** Where an error of the user's code was thrown: without the lines of ours that called it. What we throw is told whole. */
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ownFile } from '../../base/package-file.js';

const OURS = resolve(dirname(ownFile('straightedge/package.json')), 'dist');

export function theirStack({ stack, message }: Error): string {
  const lines = (stack ?? message).split('\n');
  const isPlace = (line: string) => /^\s+at /.test(line);
  const isTheirs = (line: string) =>
    !line.includes(`${OURS}/`) && !line.includes(`${pathToFileURL(OURS).href}/`) && !line.includes('node:');
  const first = lines.find(isPlace);
  if (first === undefined || !isTheirs(first)) return lines.join('\n');
  return lines.filter((line) => !isPlace(line) || isTheirs(line)).join('\n');
}
