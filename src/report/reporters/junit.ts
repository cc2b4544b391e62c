/** JUnit's XML: a test case for each file, for CI servers. What is undecided or can not be read is an error. */
import type { Finding } from '../diagnostic.js';

export function junit(findings: readonly Finding[]): string {
  const count = (...outcomes: Finding['outcome'][]) =>
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

function testCase({ file, outcome, summary, text, seconds, line }: Finding): string {
  const place = line === undefined ? '' : ` line="${line}"`;
  const open = `    <testcase name="${escaped(file)}" classname="straightedge" file="${escaped(file)}"${place} time="${seconds.toFixed(3)}"`;
  if (outcome === 'linearizable') return `${open}/>`;
  const kind = outcome === 'violation' ? 'failure' : 'error';
  return `${open}>\n      <${kind} type="${outcome}" message="${escaped(summary)}">${escaped(text)}</${kind}>\n    </testcase>`;
}

/** XML has no way to write most control characters, nor halves of pairs. */
const escaped = (text: string): string =>
  text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
