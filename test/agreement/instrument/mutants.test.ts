/**
 * Mutants: one fault in the source of the instrumenter or of the prover, and the test that fails with it. Each runs in a copy of the project,
 * at night (`AGREE=all`). In every run: each fault can be planted, in one place.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const INSTRUMENT = 'test/agreement/instrument';

interface Mutant {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The file with the test, and a part of its name. */
  readonly test: readonly [file: string, name: string];
}

const cells = [`${INSTRUMENT}/constructs.test.ts`, 'cells none is wrong'] as const;
const loops = [`${INSTRUMENT}/constructs.test.ts`, 'loops and calls that carry state'] as const;
const containers = [`${INSTRUMENT}/constructs.test.ts`, 'ways to read, copy and convert containers'] as const;
const builtIns = (kind: string) => [`${INSTRUMENT}/global-functions.test.ts`, `of ${kind}:`] as const;
const proofs = (name: string) => ['src/explore/prove/prove.test.ts', name] as const;

const MUTANTS: Readonly<Record<string, Mutant>> = {
  'reads of fields are not announced': {
    file: 'src/instrument/runtime/accesses.ts',
    from: 'return this.announce(READ, owner, key, site);',
    to: 'return 0;',
    test: cells,
  },
  'writes are announced as reads': {
    file: 'src/instrument/runtime/accesses.ts',
    from: 'return this.announce(\n      WRITE,',
    to: 'return this.announce(\n      READ,',
    test: cells,
  },
  'what is stored in a shared object is not shared': {
    file: 'src/instrument/runtime/accesses.ts',
    from: '    this.sharing.publish(value);\n    if (value !== REMOVED) memory.storing(value);',
    to: '    if (value !== REMOVED) memory.storing(value);',
    test: cells,
  },
  'a new member does not change the keys of its object': {
    file: 'src/instrument/runtime/accesses.ts',
    from: 'if (isLength || !Object.hasOwn(object, key)) this.widen(object, key);',
    to: 'if (isLength) this.widen(object, key);',
    test: cells,
  },
  'a size and the entries of a container are separate': {
    file: 'src/instrument/model/sharing.ts',
    from: 'this.#sites.numberOf(isSize ? KEYS : key)',
    to: 'this.#sites.numberOf(key)',
    test: containers,
  },
  'two elements of a typed array are one location': {
    file: 'src/instrument/model/sharing.ts',
    from: 'return memory.location(owner, byteOf(object, tag, key));',
    to: 'return memory.location(byteOf(object, tag, key), 0);',
    test: builtIns('numbers'),
  },
  'the content of a result is read before the call returns': {
    file: 'src/instrument/instrumented-program.ts',
    from: 'if (!step.done || !showsShared(step.value, this.#object)) return step;',
    to: 'if (true) return step;',
    test: builtIns('list'),
  },
  'the tag of an object is not announced': {
    file: 'src/instrument/builtins/reflection.ts',
    from: 'yield* readMember(host, self, Symbol.toStringTag, site)',
    to: '(self as Record<symbol, unknown>)[Symbol.toStringTag]',
    test: builtIns('symbols'),
  },
  'functions write nothing back that throw': {
    file: 'src/instrument/builtins/reflection.ts',
    from: '    failed = { error };',
    to: '    throw error;',
    test: builtIns('object'),
  },
  'indices of Atomics are taken as they are': {
    file: 'src/instrument/builtins/atomics.ts',
    from: 'isNumber ? index : Math.trunc(Number(index)) || 0',
    to: 'index',
    test: builtIns('numbers'),
  },
  'methods of containers read nothing': {
    file: 'src/instrument/runtime/calls.ts',
    from: ': this.#later(READ, called, self, args, site);',
    to: ': this.at(Reflect.apply(called, self, args));',
    test: builtIns('map'),
  },
  'iteration of a shared container is not announced': {
    file: 'src/instrument/runtime/runtime.ts',
    from: 'const isOwn = at.stepCoroutine === undefined && this.sharing.tagOf(at.over) === undefined;',
    to: 'const isOwn = at.stepCoroutine === undefined;',
    test: loops,
  },
  'a difference from the code itself counts as none': {
    file: 'src/explore/learning/plain-runs.ts',
    from: 'if (same.length === 0) return this.#difference(order, this.#textOf(done), learned);',
    to: 'if (same.length === 0) return undefined;',
    test: [`${INSTRUMENT}/plain-runs.test.ts`, ''],
  },
  'code that cannot be compared counts as compared': {
    file: 'src/explore/learning/plain-runs.ts',
    from: 'if (runtime.hasFinished || holdsInstrumented(object)) return OUTSIDE;',
    to: '',
    test: ['src/instrument/vite-plugin.test.ts', 'cannot be compared'],
  },
  'states of a proof omit what a thread has read': {
    file: 'src/explore/prove/canonical-state.ts',
    from: 'for (let i = 0; i < observed.length; i++) this.#visit(observed[i]);',
    to: '',
    test: proofs('known objects'),
  },
  'states of a proof omit the arguments of calls': {
    file: 'src/explore/prove/canonical-state.ts',
    from: '    for (const arg of args[thread]) this.#visit(arg);\n',
    to: '',
    test: proofs(''),
  },
  'a proof takes one step of each state': {
    file: 'src/explore/prove/search.ts',
    from: 'for (const [i, move] of moves.entries()) {',
    to: 'for (const [i, move] of moves.slice(0, 1).entries()) {',
    test: proofs('known objects'),
  },
  'a component with an exit counts as stuck': {
    file: 'src/explore/prove/progress.ts',
    from: 'if (this.#hasExit[component] === 1) continue;',
    to: '',
    test: proofs('known objects'),
  },
  'no component is stuck': {
    file: 'src/explore/prove/progress.ts',
    from: 'if (this.#hasExit[component] === 1) continue;',
    to: 'continue;',
    test: proofs('known objects'),
  },
  'a call whose first step is disabled is forgotten': {
    file: 'src/explore/prove/search.ts',
    from: 'else this.#refuse(state, thread, call);',
    to: '',
    test: proofs(''),
  },
};

test.each(Object.keys(MUTANTS))('%s: the fault can be planted', (name) => {
  const { file, from, to } = MUTANTS[name];
  const parts = readFileSync(join(ROOT, file), 'utf8').split(from);
  expect(parts).toHaveLength(2);
  expect(to).not.toBe(from);
});

describe.runIf(process.env.AGREE === 'all')('a test fails if', () => {
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-mutants-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  for (const part of [
    'src',
    'test',
    'papers',
    'examples',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  for (const part of ['node_modules', 'dist']) symlinkSync(join(ROOT, part), join(folder, part));

  test.each(Object.keys(MUTANTS))('%s', (name) => {
    const { file, from, to, test: failing } = MUTANTS[name];
    const text = readFileSync(join(ROOT, file), 'utf8');
    writeFileSync(
      join(folder, file),
      text.replace(from, () => to),
    );
    try {
      const args = ['node_modules/vitest/vitest.mjs', 'run', failing[0], '-t', failing[1]];
      const { status, stdout } = spawnSync(process.execPath, args, {
        cwd: folder,
        encoding: 'utf8',
        // the functions of one kind of object are few
        env: { ...process.env, AGREE: failing[0].includes('global-functions') ? 'all' : '' },
      });
      expect(stdout).toMatch(/Tests .*failed/);
      expect(status).toBe(1);
    } finally {
      writeFileSync(join(folder, file), text);
    }
  });
});
