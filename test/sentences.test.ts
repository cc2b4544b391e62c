/**
 * The sentences of all reports as one golden file, `test/system/gallery/sentences.txt`; `npm run gallery` writes and prints
 * it. A sentence of `src/report` that is in no golden file is an error: add data for it to the fixture.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { reportSentences } from './support/fixtures/report-sentences.js';

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const REPORT = fileAt('../src/report');
const GALLERY = fileAt('system/gallery');

const sections = reportSentences();
const sentences = Object.values(sections).flat();
const all = Object.entries(sections)
  .map(([title, own]) => `${title}\n${'-'.repeat(title.length)}\n${[...new Set(own)].join('\n')}\n`)
  .join('\n');

test('the sentences are as in the golden file', async () => {
  await expect(all).toMatchFileSnapshot('system/gallery/sentences.txt');
});

/** Texts of at least two words in a source file, without those that code compares. */
function phrasesIn(name: string, text: string): string[] {
  const phrases: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const { parent } = node;
      const isCompared =
        ts.isCaseClause(parent) ||
        (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText())) ||
        (ts.isPropertyAssignment(parent) && parent.name === node);
      const phrase = node.text.replace(/\s+/g, ' ').trim();
      if (!isCompared && /[a-z]{2,} [a-z]{2,}/i.test(phrase)) phrases.push(phrase);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  return phrases;
}

/** Texts that are no sentences, or that only a page shows; tests of pages cover the latter. */
const OTHER = /^(json|html)\/|^ci-reports\.ts$|^assert\.ts$/;

test('every sentence of the reports is in a golden file', () => {
  const golden = readdirSync(GALLERY)
    .map((file) => (file === 'sentences.txt' ? all : readFileSync(join(GALLERY, file), 'utf8')))
    .join('\n')
    .replace(/\s+/g, ' ');
  const missing = readdirSync(REPORT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !OTHER.test(file))
    .flatMap((file) =>
      phrasesIn(file, readFileSync(join(REPORT, file), 'utf8'))
        .filter((phrase) => !golden.includes(phrase))
        .map((phrase) => `${file}: ${phrase}`),
    );
  expect(missing, 'add data to test/support/fixtures/report-sentences.ts, then run npm run gallery').toEqual(
    [],
  );
});

const NOUNS =
  'operation|event|call|test|round|part|execution|step|group|access|return|race|violation|thread|process';

test('numbers and nouns agree', () => {
  const disagree = new RegExp(
    `\\ball 1\\b|\\b1 (?:other |more |pending |larger |random )?(?:(?:${NOUNS})e?s|classes|histories)\\b` +
      `|\\b1 (?:other |more |pending )?(?:${NOUNS}) (?:are|were|have)\\b` +
      `|\\b(?:[2-9]|\\d\\d+) (?:other |more |pending |larger |random )?(?:${NOUNS}|class|history)\\b`,
  );
  expect('The first 1 events').toMatch(disagree);
  expect('1 other part were').toMatch(disagree);
  expect('2 pending call').toMatch(disagree);
  // "1 of 4 returns"
  expect(sentences.filter((sentence) => disagree.test(sentence.replace(/\d+ of (?=\d)/g, '')))).toEqual([]);
});

test('sentences end with a full stop, and signs are not doubled', () => {
  /** Headlines, titles, steps of a linearization, messages that start with a file, and commands to copy. */
  const others =
    /^[✓✗?] |^ {2}|^Why |^\w+\.(?:jsonl|scenario\.ts)[: ]|^(?:Replay|or): |scenario: outcome|run: npx straightedge|so far$/;
  const isSentence = (text: string) =>
    /^(?:[A-Z]|\d+ |.*[a-z]+\(.*\) (?:by|of) )/.test(text) && !others.test(text);
  expect(sentences.filter((sentence) => isSentence(sentence) && !/[.:]$/.test(sentence))).toEqual([]);
  expect(
    sentences.filter((sentence) =>
      /\.\.|,,|;;|[,;]\.|\S {3,}\S| [,;]| \.(?![\w/])|(?<!returned )undefined|NaN/.test(sentence),
    ),
  ).toEqual([]);
});
