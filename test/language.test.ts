/**
 * Text that a reader sees keeps to one vocabulary: names, comments, messages, help texts, test titles, pages and commits.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Terminal } from '../src/cli/common/terminal.js';
import { run } from '../src/cli/run.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Words to avoid, with the words to use. A space matches any white space and the start of a comment line. Names are
 * split at capitals, so `toldApart` counts as two words.
 */
const WORDS: readonly (readonly [pattern: string, instead: string])[] = [
  ['told|tells|telling', 'reports, records, determines; distinguished'],
  ['nobody|somebody|anybody|everybody|whoever|whomever', 'the caller, the thread, no thread'],
  ['(?:gone|goes|going|go) on', 'continues, is resumed'],
  ['taken up again', 'resumed'],
  ['(?:is|are|be|was|were) to blame|lines to blame', 'root cause; lines that must be atomic'],
  ['came of', 'result, outcome'],
  ['so many|so often', 'n, up to n'],
  ['breaths?', 'synchronous turn'],
  ['(?:un)?luck(?:y|ily)?', 'random choice, randomness'],
  ['can not', 'cannot'],
  ['for ever', 'forever'],
  ['learnt|mended', 'learned; fixed'],
  ['in vain|vain', 'obsolete, without result'],
  [
    'meetings?|meets?(?! (?:the|an?|its|this|every|earlier)\\b)|unmet',
    'rendezvous; synchronise; unmatched call',
  ],
  ['fuel|sips?|patience|alike', 'step budget, steps; deadline; symmetric'],
  ['steps? aside|(?:sets?|setting) aside', 'declines; abandoned'],
  ['takings', 'unclaimed removals'],
  ['tangled?|tangles|peel(?:s|ed|ing)?', 'cyclic core, elimination'],
  ['surely', 'definitely present, definitely held'],
  ['serial', 'sequential'],
  ['one after another', 'sequential, in sequence'],
  ['uninterrupted', 'atomic'],
  ['transformed|twins?', 'instrumented, coroutine version'],
  ['crews?|fleets?', 'search helpers; workers'],
];

/** Files in which a word is meant: the reason is given. */
const EXCEPTIONS: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^test\/language\.test\.ts$/, 'lists the words'],
  [/^CHANGELOG\.md$/, 'names the old names of renamed things'],
];

/** Titles of tests are statements; these words start a clause. A nested "of …" continues the title around it. */
const CLAUSE = /^(?:who|whom|what|whatever|which|where|wherever|how|whether|neither|though)\b/i;

const TEXT = /\.(?:tsx?|js|md|txt|jsonl|json|yml|html|css)$/;
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => TEXT.test(file) && file !== 'package-lock.json' && existsSync(join(ROOT, file)));

/** Hits that a failure lists for an area. */
const MOST_SHOWN = 200;

interface Hit {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly instead: string;
}

const rules = WORDS.map(
  ([pattern, instead]) => [new RegExp(`^(?:${pattern.replaceAll(' ', '[\\s/*]+')})$`, 'i'), instead] as const,
);
const anyWord = new RegExp(
  `(?<![a-z])(?:${WORDS.map(([pattern]) => pattern.replaceAll(' ', '[\\s/*]+')).join('|')})(?![a-z])`,
  'gi',
);

function hitsIn(file: string, text: string): Hit[] {
  const words = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return Array.from(words.matchAll(anyWord), (match) => ({
    file,
    line: words.slice(0, match.index).split('\n').length,
    text: match[0],
    instead: rules.find(([pattern]) => pattern.test(match[0]))?.[1] ?? '',
  }));
}

/** Titles that do not state something. */
function titlesIn(file: string, text: string): Hit[] {
  const titles = text.matchAll(/^(\s*)(?:test|it)(?:\.\w+)*(?:\([^()\n]*\))?\(\s*(['"`])(.+?)\2/gm);
  return Array.from(titles)
    .filter(([, indent, , title]) => CLAUSE.test(title) || (indent === '' && /^of\b/.test(title)))
    .map((match) => ({
      file,
      line: text.slice(0, match.index).split('\n').length,
      text: match[3],
      instead: 'a statement: subject, verb, object',
    }));
}

const inWords = ({ file, line, text, instead }: Hit): string =>
  `${file}:${line}: "${text.replace(/\s+/g, ' ')}"; use: ${instead}`;

const isExcepted = (file: string): boolean => EXCEPTIONS.some(([path]) => path.test(file));

describe('vocabulary', () => {
  const hits = files
    .filter((file) => !isExcepted(file))
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return [...hitsIn(file, text), ...(file.endsWith('.test.ts') ? titlesIn(file, text) : [])];
    });

  test('names, comments, messages, titles and pages use the words of the field', () => {
    expect(hits.map(inWords).slice(0, MOST_SHOWN)).toEqual([]);
  });

  test('every exception is needed', () => {
    const unneeded = EXCEPTIONS.filter(([path]) => !files.some((file) => path.test(file)));
    expect(unneeded).toEqual([]);
  });

  test.each(WORDS)('a planted "%s" is found', (pattern) => {
    const variants = pattern
      .replace(/\(\?:([^()|]*)[^()]*\)\??/g, '$1')
      .replace(/(\w)\?/g, '$1')
      .split('|');
    for (const words of variants) {
      const planted = hitsIn('src/base/planted.ts', `/**\n * Planted: ${words.replaceAll(' ', '\n * ')}. */`);
      expect(planted.map(({ line }) => line)).toEqual([2]);
      const [first, ...rest] = words.split(' ');
      const name = first + rest.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
      expect(hitsIn('src/base/planted.ts', `const ${name}Value = 1;`)).toHaveLength(1);
    }
    expect(hitsIn('src/base/planted.ts', 'retold cannot serialise luckless meetingless forever')).toEqual([]);
  });

  test('a planted title without a statement is found', () => {
    const title = (text: string) =>
      titlesIn('src/base/planted.test.ts', `  test.each(CASES)('${text}', () => {`);
    expect(title('who finds nothing needs a moment')).toHaveLength(1);
    expect(title('a pending enqueue may take effect')).toEqual([]);
  });
});

describe('help', () => {
  /** First words of help texts. A new verb is entered here. */
  const VERBS = new Set(
    `accept add allow check choose compare continue convert count create display draw end exclude exit expect explore
     export find follow ignore include keep let limit list load map measure open overwrite print read remove repeat report
     require reuse run save serve set show skip stop take treat use verify wait watch write`.split(/\s+/),
  );

  /** Faults of a help text of a command. */
  function faultsOf(help: string): string[] {
    const [usage, ...lines] = help.split('\n');
    const description = lines.find((line) => line.trim() !== '') ?? '';
    const options = lines.flatMap((line) => /^ {2}(-\S.*?) {2,}(\S.*)$/.exec(line)?.slice(1) ?? []);
    const faults: string[] = [];
    if (!/^[A-Z][a-z]+ .*\.$/.test(description) || !VERBS.has(description.split(' ')[0].toLowerCase()))
      faults.push(`${usage}: "${description}" is not an imperative sentence`);
    for (let k = 0; k < options.length; k += 2) {
      const [flag, text] = options.slice(k, k + 2);
      const first = text.replace(/^(?:with --\S+:|Jepsen:|also) /, '').split(' ')[0];
      if (text.includes('?')) faults.push(`${flag}: "${text}" asks a question`);
      if (!VERBS.has(first)) faults.push(`${flag}: "${text}" does not start with an imperative`);
    }
    return faults;
  }

  async function helpOf(...command: string[]): Promise<string> {
    const parts: string[] = [];
    const stream = { columns: 10_000, write: (part: string) => parts.push(part) };
    await run([...command, '--help'], { stdout: stream, stderr: stream } as unknown as Terminal);
    return parts.join('');
  }

  test('commands and flags say in the imperative what they do', async () => {
    const general = await helpOf();
    const commands = Array.from(general.matchAll(/^ {2}([a-z]+) /gm), ([, name]) => name);
    expect(commands).toContain('check');
    const faults: string[] = [];
    for (const command of commands.filter((name) => name !== 'help'))
      faults.push(...faultsOf(await helpOf(command)));
    expect(faults, 'a verb that is missing is entered in VERBS').toEqual([]);
  });

  test('planted help texts are found', () => {
    const help = (description: string, flag: string) =>
      faultsOf(`Usage: straightedge x\n\n${description}\n\nOptions:\n  --flag <n>   ${flag}\n`);
    expect(help('Check recorded histories.', 'limit steps to n')).toEqual([]);
    expect(help('What is wrong with a history.', 'limit steps to n')).toHaveLength(1);
    expect(help('Check recorded histories', 'limit steps to n')).toHaveLength(1);
    expect(help('Check recorded histories.', 'only schedules of n steps')).toHaveLength(1);
    expect(help('Check recorded histories.', 'limit steps to what?')).toHaveLength(1);
  });
});

describe('commits', () => {
  /** The commits of a pull request, named by its workflow; otherwise those that `origin` does not have. */
  const COMMITS = process.env.COMMITS ?? (hasRef('origin/main') ? 'origin/main..HEAD' : undefined);
  const LONGEST = 72;
  /** Words in -ed, -ing and -s that are imperatives nevertheless. */
  const IMPERATIVE = /^(?:embed|feed|need|seed|speed|bring|string|\w+ss|focus|bias)$/;

  function hasRef(name: string): boolean {
    const { status } = spawnSync('git', ['rev-parse', '--verify', '--quiet', name], { cwd: ROOT });
    return status === 0;
  }

  function faultOf(subject: string): string | undefined {
    if (subject.length > LONGEST) return `${subject.length} characters, at most ${LONGEST}: ${subject}`;
    const summary = /^[a-z][a-z0-9 ,/-]*: (.+)$/.exec(subject)?.[1];
    if (summary === undefined) return `no "area: summary": ${subject}`;
    const [first] = summary.split(/[^\w-]/);
    const isNoVerb =
      /^(?:an?|the|one|two|no|all|some|more|fewer|each|every|who|what|of|CI)$/.test(first) ||
      (/(?:ed|ing|s)$/.test(first) && !IMPERATIVE.test(first));
    return isNoVerb ? `"${first}" is not an imperative: ${subject}` : undefined;
  }

  if (COMMITS !== undefined)
    test('subjects are "area: imperative summary"', () => {
      const log = ['log', '--no-merges', '--format=%s', COMMITS];
      const subjects = execFileSync('git', log, { cwd: ROOT, encoding: 'utf8' }).split('\n');
      expect(subjects.filter((own) => own !== '').flatMap((subject) => faultOf(subject) ?? [])).toEqual([]);
    });

  test('planted subjects are found', () => {
    expect(faultOf('jobs: run tasks on threads and Redis through one executor')).toBeUndefined();
    expect(faultOf('A queue with a value twice inside at first')).toMatch('no "area: summary"');
    expect(faultOf(`check: ${'describe the searches '.repeat(4)}`)).toMatch('at most 72');
    expect(faultOf('check: added a limit')).toMatch('"added" is not an imperative');
    expect(faultOf('check: a limit of steps')).toMatch('"a" is not an imperative');
  });
});
