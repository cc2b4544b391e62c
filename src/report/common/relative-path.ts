/** A file as people and other programs find it from where we were started. */
import { relative } from 'node:path';

export const relativePath = (file: string): string => relative('.', file).replaceAll('\\', '/');
