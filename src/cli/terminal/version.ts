/** The version of this package. */
import { readFileSync } from 'node:fs';
import { ownFile } from '../../base/package-file.js';

const { version } = JSON.parse(readFileSync(ownFile('straightedge/package.json'), 'utf8')) as {
  version: string;
};

export const VERSION: string = version;
