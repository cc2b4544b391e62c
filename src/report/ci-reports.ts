/** Reports for CI servers: JUnit XML, annotations of GitHub Actions, and SARIF 2.1.0 for code scanning. */

import { escapeXml, printable, printableJson, printableText } from '../base/values/show.js';
import { unexplainedBy } from './common/verdict-words.js';
import type { Diagnostic, Fix, FlowStep } from './diagnostic.js';

/**
 * Converts diagnostics to JUnit XML, one test case per file. An undecided or unreadable file is an error.
 *
 * @example
 * const xml = junitReport([]);
 */
export function junitReport(findings: readonly Diagnostic[]): string {
  const count = (...outcomes: Diagnostic['outcome'][]) =>
    findings.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const seconds = findings.reduce((sum, finding) => sum + finding.seconds, 0);
  const counts = `tests="${findings.length}" failures="${count('violation')}" errors="${count('undecided', 'error')}" time="${seconds.toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="straightedge" ${counts}>`,
    `  <testsuite name="straightedge" ${counts}>`,
    ...findings.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ file, outcome, summary, text, seconds, line }: Diagnostic): string {
  const place = line === undefined ? '' : ` line="${line}"`;
  const open = `    <testcase name="${escaped(printable(file))}" classname="straightedge" file="${escaped(printable(file))}"${place} time="${seconds.toFixed(3)}"`;
  if (outcome === 'linearizable') return `${open}/>`;
  const kind = outcome === 'violation' ? 'failure' : 'error';
  return `${open}>\n      <${kind} type="${outcome}" message="${escaped(summary)}">${escaped(text)}</${kind}>\n    </testcase>`;
}

/** XML cannot hold most control characters, nor halves of surrogate pairs. */
const escaped = (text: string): string =>
  escapeXml(
    printableText(text.replaceAll('\r\n', '\n')).replace(
      /[\p{Cs}\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufffe\uffff]/gu,
      '\ufffd',
    ),
  );

const TITLES = {
  undecided: 'undecided',
  error: 'unreadable',
} as const;

/**
 * Converts diagnostics to annotations of GitHub Actions: an error for a violation or an unreadable file, a warning for an
 * undecided one.
 *
 * @example
 * assert.equal(githubReport([]), '');
 */
export function githubReport(findings: readonly Diagnostic[]): string {
  return findings
    .flatMap(({ also = [], ...first }) => [first, ...also.map((lines) => ({ ...first, ...lines }))])
    .map(command)
    .join('');
}

function command({
  file,
  outcome,
  isRendezvous = false,
  summary,
  line,
  endLine,
  column,
}: Diagnostic): string {
  if (outcome === 'linearizable') return '';
  const fields = Object.entries({
    file,
    line,
    endLine,
    col: column,
    title: `straightedge: ${outcome === 'violation' ? unexplainedBy(isRendezvous) : TITLES[outcome]}`,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${outcome === 'undecided' ? 'warning' : 'error'} ${fields.join(',')}::${message(summary)}\n`;
}

const message = (text: string): string =>
  printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));

const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const RULES = [
  {
    id: 'violation',
    name: 'NotLinearizable',
    shortDescription: {
      text: 'The history is not linearizable: no sequential order of the operations that respects real time gives their results.',
    },
    defaultConfiguration: { level: 'error' },
  },
  {
    id: 'no-rendezvous',
    name: 'NoRendezvous',
    shortDescription: { text: 'No sequence of rendezvous gives the results of the operations.' },
    defaultConfiguration: { level: 'error' },
  },
  {
    id: 'undecided',
    name: 'Undecided',
    shortDescription: { text: 'A limit was reached before the check decided.' },
    defaultConfiguration: { level: 'warning' },
  },
];

/**
 * Converts diagnostics to SARIF for code scanning; `version` is the version of straightedge. A violation or undecided file
 * is a result at the line of the faulty operation; an unreadable file is a notification.
 *
 * @example
 * const sarif = sarifReport([], '0.1.0');
 */
export function sarifReport(findings: readonly Diagnostic[], version: string): string {
  const errors = findings.filter(({ outcome }) => outcome === 'error');
  const results = findings.filter(({ outcome }) => outcome === 'violation' || outcome === 'undecided');
  const run = {
    tool: { driver: { name: 'straightedge', version, rules: RULES } },
    invocations: [
      {
        executionSuccessful: errors.length === 0,
        toolExecutionNotifications: errors.map((finding) => ({
          level: 'error',
          message: { text: finding.summary },
          locations: [locationOf(finding.file, finding.line, finding.column)],
        })),
      },
    ],
    results: results.map(resultOf),
  };
  return `${printableJson(JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, undefined, 2))}\n`;
}

function resultOf({
  file,
  outcome,
  isRendezvous,
  summary,
  text,
  line,
  endLine,
  related,
  also = [],
  flow = [],
  fixes = [],
}: Diagnostic): object {
  const ruleId = outcome === 'violation' && isRendezvous ? 'no-rendezvous' : outcome;
  return {
    ruleId,
    ruleIndex: RULES.findIndex(({ id }) => id === ruleId),
    level: outcome === 'violation' ? 'error' : 'warning',
    message: { text: summary, markdown: `${fenced(text)}\n` },
    locations: [
      locationOf(file, line, undefined, endLine),
      ...also.map((own) => locationOf(own.file, own.line, undefined, own.endLine)),
    ],
    ...(flow.length > 0 && { codeFlows: [{ threadFlows: threadFlows(flow) }] }),
    ...(fixes.length > 0 && { fixes: fixes.map(fixObject) }),
    ...(related.length > 0 && {
      relatedLocations: related.map((own, id) => ({ id, ...locationOf(file, own) })),
    }),
  };
}

/** Lines that a text replaces; nothing is deleted where lines are only inserted. */
const fixObject = ({ description, file, replacements }: Fix): object => ({
  description: { text: description },
  artifactChanges: [
    {
      artifactLocation: { uri: uriOf(file) },
      replacements: replacements.map(({ line, endLine, text }) => ({
        deletedRegion: { startLine: line, startColumn: 1, endLine, endColumn: 1 },
        insertedContent: { text },
      })),
    },
  ],
});

/** A flow for each process; `executionOrder` numbers all steps from 1. */
function threadFlows(flow: readonly FlowStep[]): object[] {
  return [...new Set(flow.map(({ process }) => process))].map((id) => ({
    id,
    locations: flow.flatMap(({ process, file, line, column, text }, i) =>
      process === id
        ? [{ executionOrder: i + 1, location: { ...locationOf(file, line, column), message: { text } } }]
        : [],
    ),
  }));
}

const uriOf = (file: string): string => encodeURI(file.replace(/\p{Cs}/gu, '\ufffd').replaceAll('\\', '/'));

/** Paths are relative addresses. Lines count from 1. */
const locationOf = (file: string, line?: number, column?: number, endLine?: number): object => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(file) },
    ...(line !== undefined && {
      region: {
        startLine: line,
        ...(column !== undefined && { startColumn: column }),
        ...(endLine !== undefined && { endLine }),
      },
    }),
  },
});

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
