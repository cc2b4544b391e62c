/** Messages from others: all kinds, with each field tampered with, mistyped or missing, and with each wrong signature. */
import { createHmac, hkdfSync } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { problemInOutcome, problemInTask } from '../model/shapes.js';
import { idOf, type Task, type TaskOutcome } from '../model/task.js';
import {
  newSession,
  openOutcome,
  openTask,
  RESULT_AGE,
  SealError,
  type Sealed,
  Sealer,
  sealOutcome,
  sealTask,
} from './messages.js';

const SECRET = 'a secret of at least thirty-two characters';
const QUEUE = 'queue';
const sealer = new Sealer(SECRET, QUEUE);
const strangers = {
  'another secret': new Sealer(`${SECRET}.`, QUEUE),
  'no secret': new Sealer(undefined, QUEUE),
  'another queue': new Sealer(SECRET, 'other'),
};

const common = { run: 'r', file: 'a.ts', code: 'c0de' };
const tasks: Readonly<Record<Task['kind'], Task>> = {
  explore: {
    ...common,
    kind: 'explore',
    name: '0-0-2',
    hasConfig: true,
    silence: 1_000.5,
    setup: { options: { seed: 1 }, spuriousWakeups: false },
    batch: { choice: 'all', threads: 2, callsPerThread: 1 },
    tests: [{ test: 0, options: { seed: 3, isExhaustive: true } }],
  },
  stress: {
    ...common,
    kind: 'stress',
    name: '4-2',
    hasConfig: false,
    silence: 1_000,
    options: { seed: 1 },
    first: 4,
    rounds: 2,
  },
  check: {
    ...common,
    kind: 'check',
    name: 'whole',
    history: { hash: 'h', packed: 'H4sI' },
    job: {
      spec: 'queue',
      options: {},
      rename: [['add', 'enqueue']],
      independent: false,
      extraFields: false,
      partial: false,
      clockError: '5ms',
      map: 'map.ts',
      limits: { maxSteps: 5, timeout: 1.5, maxMemory: 1e9 },
      quiet: true,
      stuck: false,
      allowEmpty: false,
      witness: false,
      consistency: false,
      all: false,
      faults: [{ text: 'pause', at: '1', until: undefined, isDated: false }],
      wants: { document: true, text: true, finding: true },
      algorithm: 'auto',
      jobs: 1,
      style: { colour: false, ascii: false, width: 100 },
      html: undefined,
    },
  },
};

const place = { file: 'a.ts', line: 1, column: 2 };
const LINE = '{"process":"A","method":"read","args":[],"result":0,"call":1,"return":2}\n';
const results: Readonly<Record<Task['kind'], unknown>> = {
  explore: {
    notes: {
      atomic: [{ ...place, name: 'f', isGivenShared: true, isObserved: false }],
      controlled: [{ ...place, name: 'g', isGivenShared: false, isObserved: true }],
    },
    tests: [
      {
        isUndetermined: false,
        explored: {
          executions: 1,
          schedules: 1,
          steps: 2,
          unfinished: 0,
          unfinishedAt: [{ ...place, name: 'n' }],
          states: 3,
          classes: 4,
          histories: 5,
          races: [
            {
              name: 'n',
              places: [
                { ...place, access: 'reads' },
                { ...place, access: 'writes' },
              ],
            },
          ],
          warnings: { executions: 1, unserializable: 1, pairs: ['a b'] },
          replaced: ['Date.now'],
          uninstrumented: ['f'],
          isSynchronous: false,
          seesThreads: false,
          isCompared: true,
          difference: {
            call: 'take()',
            place: { ...place, name: 'take' },
            before: ['add(1)'],
            plain: '1',
            instrumented: '2',
          },
          spins: false,
          violation: {
            kind: 'outcome',
            operation: 1,
            schedule: [0, 1],
            allowed: ['1'],
            nearest: [
              {
                process: 'A',
                text: 'put(1)',
                result: 'undefined',
                completes: [{ process: 'B', text: 'take()', result: '1' }],
              },
            ],
            isLostWakeUp: false,
            isUnfair: false,
          },
          coverage: [{ kind: 'all' }, { kind: 'bound', preemptions: 2 }, { kind: 'samples', count: 9 }],
          sequential: 1,
          methodResults: [
            {
              method: 'take',
              hasReturned: false,
              hasValue: false,
              threw: 'Error',
              blocked: { call: 'take()', after: ['add(1)'] },
              ended: ['take()'],
              waited: ['take()'],
            },
          ],
          learned: {
            calls: [['take()'], ['put(1)']],
            runs: [
              { steps: [{ process: 'A', text: 'take()', result: '1', completes: [] }], isBlocked: false },
            ],
            hasMore: false,
          },
          observations: '<x/>',
        },
      },
    ],
  },
  stress: {
    rounds: 2,
    operations: 9,
    overlapping: 2,
    undecided: 0,
    unknown: [['Error', 1]],
    failure: { round: 5, lines: LINE },
  },
  check: {
    code: 1,
    document: { verdict: 'violation' },
    text: 'a report',
    finding: {
      file: 'a.jsonl',
      outcome: 'violation',
      isRendezvous: false,
      summary: 's',
      text: 't',
      seconds: 0.5,
      line: 1,
      column: 1,
      endLine: 2,
      also: [{ file: 'b.ts', line: 1, endLine: 2 }],
      flow: [{ ...place, process: 'A', text: 'x' }],
      related: [3],
    },
    isWritten: false,
    limit: 'time',
  },
};
const KINDS = Object.keys(tasks) as Task['kind'][];
const outcomesOf = (kind: Task['kind']): TaskOutcome[] => [
  { kind: 'done', result: results[kind] } as TaskOutcome,
  { kind: 'refused', message: 'why' },
  { kind: 'abandoned', reason: 'why', isOutOfMemory: true },
];

/** Fields that may be missing, wherever they are. */
const OPTIONAL =
  /\.(setup|packed|clockError|map|maxSteps|timeout|warnings|violation|difference|allowed|nearest|isLostWakeUp|isUnfair|threw|blocked|error|observations|learned|failure|isWritten|limit|isRendezvous|line|column|endLine|also|flow|isOutOfMemory)$|\.(nearest|steps)\[\d\]\.(process|result)$/;
/** Required in a place, though optional in a finding. */
const PLACE = /((atomic|controlled|places|also|flow)\[\d\]|difference\.place)\.(line|column|endLine)$/;
/** Objects whose content is not described. */
const OPEN = /\.(document|options)\.|\.setup\.options/;

interface Change {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
const WRONG: readonly unknown[] = [null, 'x', 7, true, {}, ['x'], [[]], { x: 1 }];

/** A copy of a value for each field and each value of another type there, each missing field and each added one. */
function* changesOf(value: unknown, path = ''): Generator<Change> {
  for (const wrong of WRONG)
    if (typeOf(wrong) !== typeOf(value)) yield { path, name: JSON.stringify(wrong), value: wrong };
  if (typeof value === 'number')
    for (const wrong of [-1, 0.5])
      if (!/seconds|silence|timeout|maxMemory|seed/.test(path))
        yield { path, name: `${wrong}`, value: wrong };
  if (typeof value !== 'object' || value === null || OPEN.test(`${path}.`)) return;
  const isList = Array.isArray(value);
  const with_ = (field: string, own: unknown) =>
    isList ? value.map((item: unknown, i) => (String(i) === field ? own : item)) : { ...value, [field]: own };
  for (const [field, own] of Object.entries(value)) {
    const below = isList ? `${path}[${field}]` : `${path}.${field}`;
    for (const change of changesOf(own, below)) yield { ...change, value: with_(field, change.value) };
    if (isList || (OPTIONAL.test(below) && !PLACE.test(below))) continue;
    const { [field]: _, ...rest } = value as Record<string, unknown>;
    yield { path: below, name: 'missing', value: rest };
  }
  if (!isList) yield { path, name: 'another field', value: { ...value, surplus: 1 } };
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
/** Signs as the specification says, whatever the content. */
function sign(kind: string, content: Uint8Array, secret = SECRET): Sealed {
  const packed = Buffer.from(content).toString('base64');
  const key = hkdfSync('sha256', secret, 'straightedge', `message ${kind}`, 32);
  return { packed, mac: createHmac('sha256', new Uint8Array(key)).update(packed).digest('hex') };
}
const signJson = (kind: string, value: unknown) => sign(kind, gzipSync(JSON.stringify(value)));
const textOf = ({ packed }: Sealed) =>
  JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as Record<string, unknown>;

describe.each(KINDS)('a task: %s', (kind) => {
  const task = tasks[kind];
  const id = idOf(task);

  test('arrives as it was sent, but for the hash of its code', async () => {
    const sealed = await sealTask(sealer, newSession(), task);
    const { task: opened } = await openTask(sealer, id, plain(sealed));
    expect(opened).toEqual({ ...plain(task), code: sealer.conceal(task.code) });
    expect(JSON.stringify(textOf(sealed))).not.toContain(task.code);
  });

  test('is refused with any field tampered with', async () => {
    const sealed = await sealTask(sealer, newSession(), task);
    const changes = [...changesOf(textOf(sealed))];
    expect(changes.length).toBeGreaterThan(100);
    for (const { path, name, value } of changes) {
      const packed = gzipSync(JSON.stringify(value)).toString('base64');
      await expect(openTask(sealer, id, { ...sealed, packed }), `${path} ${name}`).rejects.toThrow(
        'is not signed with the secret of this process',
      );
    }
  });

  test('is refused without a signature, or with another one', async () => {
    const sealed = await sealTask(sealer, newSession(), task);
    const { mac, packed } = sealed;
    const other = mac.startsWith('0') ? `1${mac.slice(1)}` : `0${mac.slice(1)}`;
    const messages: unknown[] = [
      undefined,
      null,
      1,
      'text',
      [],
      {},
      task,
      packed,
      { packed },
      { mac },
      { packed, mac: null },
      { packed, mac: '' },
      { packed, mac: mac.slice(1) },
      { packed, mac: `${mac}0` },
      { packed, mac: mac.toUpperCase().replace(/\d/g, 'A') },
      { packed, mac: other },
      { packed, mac: `${mac.slice(0, -1)}${mac.endsWith('0') ? 1 : 0}` },
      { packed: `${packed} `, mac },
      { packed: [packed], mac },
      { packed: 5, mac },
      ...(await Promise.all(Object.values(strangers).map((one) => sealTask(one, newSession(), task)))),
    ];
    for (const message of messages)
      await expect(openTask(sealer, id, message), JSON.stringify(message)).rejects.toThrow(SealError);
  });

  test('is refused if it is signed and malformed, whatever field', () => {
    expect(problemInTask(plain(task))).toBeUndefined();
    const changes = [...changesOf(plain(task))];
    for (const { path, name, value } of changes)
      expect(problemInTask(value), `${path} ${name}`).toBeTypeOf('string');
  });

  test('is refused under the name of another task, and when it is old or from the future', async () => {
    const session = newSession();
    await expect(openTask(sealer, `${id}0`, await sealTask(sealer, session, task))).rejects.toThrow(
      'for another purpose',
    );
    const renamed = signJson('task', { kind: 'task', queue: QUEUE, subject: 'x', value: { session, task } });
    await expect(openTask(sealer, 'x', renamed)).rejects.toThrow('is another task');
    for (const begin of [session.begin - RESULT_AGE - 1, session.begin + RESULT_AGE, 0, 1e300, Number.NaN]) {
      const old = await sealTask(sealer, { ...session, begin }, task);
      await expect(openTask(sealer, id, old)).rejects.toThrow(/is too old|malformed/);
    }
    const nameless = await sealTask(sealer, { ...session, name: '../x' }, task);
    await expect(openTask(sealer, id, nameless)).rejects.toThrow('malformed: session');
  });
});

test('no task of another kind, and none that makes a worker read or write a file of its own', () => {
  for (const kind of ['program', 'constructor', '__proto__', '', 1, null])
    expect(problemInTask({ ...plain(tasks.explore), kind })).toBeTypeOf('string');
  const { check } = plain(tasks) as { check: { job: object } };
  for (const field of ['html', 'contentFile', 'file', 'stop', 'kind'])
    expect(problemInTask({ ...check, job: { ...check.job, [field]: 'x' } })).toBeTypeOf('string');
  expect(problemInTask({ ...plain(tasks.explore), time: { milliseconds: 1, until: 1 } })).toBeTypeOf(
    'string',
  );
});

test('a document or an option of more than 200 levels is refused: it could not be printed', () => {
  const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels)}0${']}'.repeat(levels)}`);
  const [outcome] = outcomesOf('check') as { result: object }[];
  const deep = (levels: number) => ({ ...outcome, result: { ...outcome.result, document: nested(levels) } });
  expect(problemInOutcome(tasks.check, deep(99))).toBeUndefined();
  for (const levels of [101, 10_000, 100_000]) {
    expect(problemInOutcome(tasks.check, deep(levels))).toContain('at most 200 levels');
    expect(problemInTask({ ...tasks.stress, options: nested(levels) })).toContain('at most 200 levels');
  }
});

/** Spaces before a message: all of it is valid, but too large after decompression. */
const SPACES = Buffer.alloc(64 << 20, 32);
/** A gzip file may have several members. */
const PACKED_SPACES = gzipSync(SPACES, { level: 1 });

describe.each(KINDS)('an outcome: %s', (kind) => {
  const task = tasks[kind];
  const id = idOf(task);

  test('arrives as it was sent', async () => {
    const asked = await sealTask(sealer, newSession(), task);
    for (const outcome of outcomesOf(kind)) {
      const sealed = await sealOutcome(sealer, id, asked, outcome);
      expect(await openOutcome(sealer, task, asked, plain(sealed))).toEqual(outcome);
    }
  });

  test('is refused if it is signed and malformed, whatever field', async () => {
    const asked = await sealTask(sealer, newSession(), task);
    for (const outcome of outcomesOf(kind)) {
      const changes = [...changesOf(plain(outcome))];
      for (const { path, name, value } of changes)
        expect(problemInOutcome(task, value), `${path} ${name}`).toBeTypeOf('string');
      const sealed = await sealOutcome(sealer, id, asked, changes[0].value as TaskOutcome);
      await expect(openOutcome(sealer, task, asked, sealed)).rejects.toThrow('is malformed');
    }
  });

  test('is refused for every other task, session, secret, queue and kind of task', async () => {
    const asked = await sealTask(sealer, newSession(), task);
    const [outcome] = outcomesOf(kind);
    const others = [
      { ...task, name: 'other' },
      { ...task, code: 'other' },
      ...KINDS.map((one) => tasks[one]),
    ];
    for (const other of others.filter((one) => one !== task)) {
      const otherAsked = await sealTask(sealer, newSession(), other);
      const sealed = await sealOutcome(sealer, idOf(other), otherAsked, outcome);
      await expect(openOutcome(sealer, task, asked, sealed)).rejects.toThrow('for another purpose');
    }
    const again = await sealTask(sealer, newSession(), task);
    const replayed = await sealOutcome(sealer, id, again, outcome);
    await expect(openOutcome(sealer, task, asked, replayed)).rejects.toThrow('for another purpose');
    for (const [name, stranger] of Object.entries(strangers)) {
      const forged = await sealOutcome(stranger, id, asked, outcome);
      await expect(openOutcome(sealer, task, asked, forged), name).rejects.toThrow(SealError);
    }
  });

  test('is refused if it is no gzip, cut short, no JSON, no message or too large', async () => {
    const asked = await sealTask(sealer, newSession(), task);
    const subject = `${id} ${asked.mac}`;
    const right = { kind: 'result', queue: QUEUE, subject, value: outcomesOf(kind)[0] };
    const whole = gzipSync(JSON.stringify(right));
    const padded = gzipSync(Buffer.concat([SPACES.subarray(0, 1_000), Buffer.from(JSON.stringify(right))]));
    for (const content of [whole, padded])
      expect(await openOutcome(sealer, task, asked, sign('result', content))).toEqual(right.value);
    const contents: Readonly<Record<string, Uint8Array>> = {
      nothing: new Uint8Array(),
      'no gzip': Buffer.from(JSON.stringify(right)),
      'only a gzip header': whole.subarray(0, 10),
      'cut short': whole.subarray(0, whole.length - 9),
      damaged: Buffer.from(whole).fill(0, 20, 30),
      'larger than 64 MB': Buffer.concat([PACKED_SPACES, gzipSync(JSON.stringify(right))]),
      'no JSON': gzipSync('{'),
      'a text': gzipSync('"x"'),
      null: gzipSync('null'),
      'a list': gzipSync('[]'),
      'without fields': gzipSync('{}'),
    };
    for (const [name, content] of Object.entries(contents))
      await expect(openOutcome(sealer, task, asked, sign('result', content)), name).rejects.toThrow(
        SealError,
      );
    const packed = 'A'.repeat((16 << 20) + 1);
    await expect(openOutcome(sealer, task, asked, { packed, mac: asked.mac })).rejects.toThrow('is larger');
  });

  test('is escaped: no text reaches a terminal as a command', async () => {
    const hostile = '\u001b]0;title\u0007 \u009b2J \u001b[2J \u001b[8mhidden \u202e \r over';
    const allowed = '\u001b[31mred\u001b[39m\n\tnext';
    const isLeft = (name: string) => ['kind', 'outcome', 'limit', 'lines', 'document'].includes(name);
    const spoilt = (value: unknown, name = ''): unknown => {
      if (isLeft(name)) return value;
      if (typeof value === 'string') return hostile + allowed;
      if (Array.isArray(value)) return value.map((item) => spoilt(item));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([field, own]) => [field, spoilt(own, field)]));
    };
    const texts = (value: unknown, name = ''): string[] => {
      if (isLeft(name)) return [];
      if (typeof value === 'string') return [value];
      return typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([field, own]) => texts(own, field))
        : [];
    };
    const asked = await sealTask(sealer, newSession(), task);
    for (const outcome of outcomesOf(kind)) {
      const sealed = await sealOutcome(sealer, id, asked, spoilt(outcome) as TaskOutcome);
      const opened = texts(await openOutcome(sealer, task, asked, sealed));
      expect(opened).toHaveLength(texts(outcome).length);
      for (const text of opened) {
        expect(text.endsWith(allowed)).toBe(true);
        expect(text.slice(0, -allowed.length)).not.toMatch(/\p{Cc}|\u202e/u);
      }
    }
  });
});

describe('an outcome that contradicts its task', () => {
  const changed = (kind: Task['kind'], change: object) =>
    problemInOutcome(tasks[kind], {
      kind: 'done',
      result: { ...(plain(results[kind]) as object), ...change },
    });

  test.each([0, 2, 3])('%i results for one test', (count) => {
    const { tests } = results.explore as { tests: unknown[] };
    expect(changed('explore', { tests: Array.from({ length: count }, () => tests[0]) })).toBeTypeOf('string');
  });

  test('rounds that were not asked for, and a failure that is no history', () => {
    expect(changed('stress', { rounds: 3 })).toBeTypeOf('string');
    expect(changed('stress', { overlapping: 10 })).toBeTypeOf('string');
    for (const round of [0, 3, 6, 7])
      expect(changed('stress', { failure: { round, lines: LINE } })).toBeTypeOf('string');
    for (const lines of ['', 'x', '{', LINE.slice(0, 20)])
      expect(changed('stress', { failure: { round: 4, lines } }), lines).toBeTypeOf('string');
  });

  test.each(['linearizable', 'violation', 'undecided', 'error'])(
    'a code of another verdict: %s',
    (outcome) => {
      const right = { linearizable: 0, violation: 1, error: 2, undecided: 3 }[outcome];
      const { finding } = results.check as { finding: object };
      for (const code of [0, 1, 2, 3, 130, -1, 4, 255])
        expect(changed('check', { code, finding: { ...finding, outcome } }) === undefined).toBe(
          code === right,
        );
    },
  );
});

test('each kind of message has its own key, and names its subject', async () => {
  const kinds = ['task', 'result', 'refusal', 'worker'] as const;
  for (const kind of kinds)
    for (const other of kinds)
      for (const subject of ['a', 'b']) {
        const opened = sealer.open(other, subject, await sealer.seal(kind, 'a', 5));
        if (kind === other && subject === 'a') expect(await opened).toBe(5);
        else await expect(opened).rejects.toThrow(SealError);
        // signed with the right key, for another purpose
        const claimed = signJson(other, { kind, queue: QUEUE, subject: 'a', value: 5 });
        if (kind !== other) await expect(sealer.open(other, 'a', claimed)).rejects.toThrow('another purpose');
      }
});

test('no message contains the secret, and concealed hashes differ by secret', async () => {
  const sealed = await sealTask(sealer, newSession(), tasks.check);
  expect(JSON.stringify([sealed, textOf(sealed)])).not.toContain(SECRET);
  expect(JSON.stringify(sealer)).toBe('{}');
  const concealed = [sealer, ...Object.values(strangers).slice(0, 2)].map((one) => one.conceal('c0de'));
  expect(new Set(concealed).size).toBe(3);
  expect(sealer.conceal('c0de')).toBe(concealed[0]);
});

test('an outcome that is too large becomes one that says so', async () => {
  const asked = await sealTask(sealer, newSession(), tasks.check);
  const huge: TaskOutcome = { kind: 'refused', message: 'x'.repeat((64 << 20) + 1) };
  const sealed = await sealOutcome(sealer, idOf(tasks.check), asked, huge);
  expect(await openOutcome(sealer, tasks.check, asked, sealed)).toEqual({
    kind: 'abandoned',
    reason: 'its result is larger than 64 MB; run it without --redis',
  });
});
