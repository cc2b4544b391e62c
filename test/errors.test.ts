/** Every error class is for the user to fix (`InputError`), a verdict, or an internal signal. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** Errors of assertions: the message is the report. */
const VERDICTS = ['LinearizabilityError', 'NotCoveredError', 'ScenarioViolationError', 'ScheduleError'];
/** Errors that stubs throw into the code under test. */
const SIMULATED = ['StubFailure'];
/** Signals between our own functions. Another file catches them, or turns them into an `InputError` with a position. */
const SIGNALS = [
  'Abandoned',
  'BlockedError',
  'BrokenGuarantee',
  'CodeMismatch',
  'ConfigurationLimitExceeded',
  'Disagreement',
  'EdnError',
  'HasState',
  'HiddenState',
  'IncompleteLearning',
  'Interrupted',
  'JsonError',
  'LimitExceeded',
  'RecordError',
  'EditRefused',
  'SealError',
  'UnlearnableError',
];

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));

/** For each class that extends an error, its base class. */
const parents = new Map<string, string>();
for (const { text } of sources)
  for (const [, name, parent] of text.matchAll(/\bclass (\w+)(?:<[^>]*>)? extends (\w+)/g))
    parents.set(name, parent);

function ancestors(name: string): string[] {
  const parent = parents.get(name);
  return parent === undefined ? [] : [parent, ...ancestors(parent)];
}

const errors = [...parents.keys()].filter((name) => ancestors(name).at(-1)?.endsWith('Error'));

test('error classes are found', () => {
  expect(errors).toEqual(
    expect.arrayContaining(['InputError', 'FormatError', 'LostThreadError', ...SIGNALS]),
  );
  expect(ancestors('LostThreadError')).toEqual(['ProgramError', 'ScenarioError', 'InputError', 'Error']);
});

test('every error class extends InputError or is listed', () => {
  const listed = [...VERDICTS, ...SIMULATED, ...SIGNALS];
  const isListed = (name: string) => [name, ...ancestors(name)].some((own) => listed.includes(own));
  const others = errors.filter(
    (name) => name !== 'InputError' && !ancestors(name).includes('InputError') && !isListed(name),
  );
  expect(
    others,
    'if the user can fix the cause, extend InputError of src/base/errors.ts: its message is printed without a stack. A signal that another file catches is entered in SIGNALS of test/errors.test.ts',
  ).toEqual([]);
});

test('the lists name only classes that exist and are no InputError', () => {
  const stale = [...VERDICTS, ...SIMULATED, ...SIGNALS].filter(
    (name) => !errors.includes(name) || ancestors(name).includes('InputError'),
  );
  expect(stale, 'take these off the lists of test/errors.test.ts').toEqual([]);
});

test('signals are not part of the public API', () => {
  const api = sources.filter(({ file }) => /^api[/\\]/.test(file));
  const exported = SIGNALS.filter((name) => api.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)));
  expect(exported, 'catch a signal inside of src, or make it an InputError').toEqual([]);
});
