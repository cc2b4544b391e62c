/** Commands of GitHub's runner, which show up beside the files: an error or a warning for each that does not hold. */
import { unexplainedBy } from '../common/verdict-words.js';
import type { Finding } from '../diagnostic.js';

const TITLES = {
  undecided: 'undecided',
  error: 'can not be read',
} as const;

export function github(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ also = [], ...first }) => [first, ...also.map((lines) => ({ ...first, ...lines }))])
    .map(command)
    .join('');
}

function command({ file, outcome, meets = false, summary, line, endLine, column }: Finding): string {
  if (outcome === 'linearizable') return '';
  const fields = Object.entries({
    file,
    line,
    endLine,
    col: column,
    title: `straightedge: ${outcome === 'violation' ? unexplainedBy(meets) : TITLES[outcome]}`,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${outcome === 'undecided' ? 'warning' : 'error'} ${fields.join(',')}::${message(summary)}\n`;
}

const message = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
