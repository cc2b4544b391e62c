/**
 * Patches of a failing program: small edits of its source, each accepted only if exploring the patched source shows that it
 * holds (guards.ts).
 *
 * Families propose edits near the blamed lines, or in the methods that the failing test calls. Equal texts are tried once.
 * Accepted patches are ranked: those that cannot lose work first, then by kept concurrency (virtual time of overlapping
 * calls), changed lines, and the order of the families.
 */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import type { Block } from '../../execution/atomic-blocks.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { TestCase } from '../../explore/scenario/test-case.js';
import {
  cleanupFamily,
  firstFamily,
  freshFamily,
  recheckFamily,
  takeFamily,
  versionFamily,
} from './awaits.js';
import {
  countChangedLines,
  Draft,
  type Family,
  Refused,
  type TextEdit,
  textEdits,
  unifiedDiff,
} from './draft.js';
import { lockFamily, shareFamily } from './exclusion.js';
import {
  type Because,
  type Evidence,
  Guards,
  type PatchedProgram,
  withFailingAwaits,
  withFailures,
} from './guards.js';
import { atomicsFamily, readOnceFamily, swapFamily } from './memory.js';
import { type ClassSource, classesIn, type Method } from './source.js';
import { typeErrors } from './types.js';
import { holdFamily, lockedRecheckFamily, orderFamily, wakeFamily } from './waiting.js';

const ASYNC: readonly Family[] = [
  wakeFamily,
  freshFamily,
  versionFamily,
  shareFamily,
  cleanupFamily,
  lockFamily,
  firstFamily,
  takeFamily,
  recheckFamily,
];
const THREADS: readonly Family[] = [
  readOnceFamily,
  swapFamily,
  atomicsFamily,
  lockedRecheckFamily,
  holdFamily,
  orderFamily,
  wakeFamily,
];

/** A program, loaded from its files, some of which have other texts. */
export interface LoadedProgram {
  readonly scenario: Scenario;
  /** The files that a patch may change, by full path. */
  readonly files: ReadonlyMap<string, string>;
}

export interface PatchOptions {
  readonly load: (overlay: ReadonlyMap<string, string>) => LoadedProgram;
  /** The blamed lines of each repair. */
  readonly repairs: readonly (readonly Block[])[];
  readonly seed?: number;
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (tried: number, of: number) => void;
}

/** An edit of one file. */
export interface PatchCandidate {
  readonly family: string;
  readonly title: string;
  /** Relative to the working folder. */
  readonly file: string;
  readonly warnings: readonly string[];
}

/** A verified patch. */
export interface Patch extends PatchCandidate {
  /** A unified diff that `git apply` accepts in the working folder. */
  readonly diff: string;
  readonly changedLines: number;
  /** The edits, by offset; `sha256` is that of the original file. */
  readonly edits: readonly TextEdit[];
  readonly sha256: string;
  /** The full path of the file, and its text before and after. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly losesWork: boolean;
  readonly evidence: Evidence & { readonly types: 'checked' | 'not checked' };
  /** Virtual milliseconds of overlapping calls, before and after. */
  readonly makespan: { readonly before: number; readonly after: number } | undefined;
}

export interface RejectedPatch extends PatchCandidate {
  readonly because: Because;
  /** The test that refutes it. */
  readonly test?: TestCase | undefined;
  readonly text?: string | undefined;
}

export interface PatchSearch {
  /** The best first. */
  readonly patches: readonly Patch[];
  /** Nothing refutes these, but not all required tests were explored. */
  readonly unrefuted: readonly RejectedPatch[];
  readonly rejected: readonly RejectedPatch[];
}

interface Candidate extends PatchCandidate {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly losesWork: boolean;
  readonly className: string;
  readonly order: number;
}

/** Searches for patches in the current task. */
export function findPatchesSync(failing: TestCase, options: PatchOptions): PatchSearch {
  const { load, seed = 1, shouldStop = () => false } = options;
  const original = load(new Map());
  const { scenario } = original;
  const candidates = candidatesFor(original, failing, options.repairs);
  const programOf = (path: string, text: string, className: string, losesWork: boolean): PatchedProgram => {
    let failingScenario: Scenario | undefined;
    const failingProgram = (): Scenario => {
      if (failingScenario !== undefined) return failingScenario;
      const cls = classesIn(path, text).find((one) => nameOfClass(one) === className);
      const hasStubs = Object.keys(scenario.stubs).length > 0;
      const failingText = cls === undefined || hasStubs ? undefined : withFailingAwaits(cls);
      const loaded = load(new Map([[path, failingText ?? text]]));
      failingScenario = withFailures(loaded.scenario, failingText !== undefined);
      return failingScenario;
    };
    return { scenario: load(new Map([[path, text]])).scenario, failing: failingProgram, losesWork };
  };
  const patches: (Patch & { readonly order: number })[] = [];
  const rejected: RejectedPatch[] = [];
  const guards = new Map<string, Guards>();
  for (const [i, candidate] of candidates.entries()) {
    options.onProgress?.(i, candidates.length);
    const { path, before, after, className, losesWork } = candidate;
    const reject = (because: Because, test?: TestCase, text?: string): void => {
      const { family, title, file, warnings } = candidate;
      rejected.push({ family, title, file, warnings, because, test, text });
    };
    if (shouldStop()) {
      reject('budget');
      continue;
    }
    const place = `${path} ${className}`;
    if (!guards.has(place))
      guards.set(place, new Guards(programOf(path, before, className, false), failing, seed, shouldStop));
    const guard = guards.get(place)!;
    try {
      const patched = programOf(path, after, className, losesWork);
      const checked = guard.check(patched);
      if (checked.kind === 'rejected') {
        reject(checked.because, checked.test, checked.text);
        continue;
      }
      const errors = typeErrors(path, before, after);
      if (errors !== undefined && errors.length > 0) {
        reject('types', undefined, errors[0]);
        continue;
      }
      const times = [guard.makespan(load(new Map()).scenario), guard.makespan(patched.scenario)] as const;
      const [from, to] = times;
      patches.push({
        ...toPatch(candidate),
        order: candidate.order,
        evidence: { ...checked.evidence, types: errors === undefined ? 'not checked' : 'checked' },
        makespan: from === undefined || to === undefined ? undefined : { before: from, after: to },
      });
    } catch (error) {
      reject('syntax', undefined, error instanceof Error ? error.message : String(error));
    }
  }
  return {
    patches: patches.sort(byRank).map(({ order: _, ...patch }) => patch),
    unrefuted: rejected.filter(({ because }) => because === 'budget'),
    rejected: rejected.filter(({ because }) => because !== 'budget'),
  };
}

function toPatch({ family, title, file, path, warnings, before, after, losesWork }: Candidate) {
  return {
    family,
    title,
    file,
    path,
    warnings,
    before,
    after,
    losesWork,
    diff: unifiedDiff(file, before, after),
    changedLines: countChangedLines(before, after),
    edits: textEdits(before, after),
    sha256: createHash('sha256').update(before).digest('hex'),
  };
}

type Ranked = Patch & { readonly order: number };

function byRank(a: Ranked, b: Ranked): number {
  const slowdown = ({ makespan }: Ranked): number =>
    makespan === undefined ? 0 : makespan.after - makespan.before;
  return (
    Number(a.losesWork) - Number(b.losesWork) ||
    slowdown(a) - slowdown(b) ||
    a.changedLines - b.changedLines ||
    a.order - b.order
  );
}

const nameOfClass = ({ node }: ClassSource): string => node.id?.name ?? '';

/** All edits of all families, each text once. */
function candidatesFor(
  { scenario, files }: LoadedProgram,
  { threads }: TestCase,
  repairs: readonly (readonly Block[])[],
): Candidate[] {
  const called = new Set(threads.flat().map(([method]) => method));
  const found = new Map<string, Candidate>();
  const families = scenario.backend === 'async' ? ASYNC : THREADS;
  for (const [path, original] of files) {
    if (path.replaceAll('\\', '/').includes('/node_modules/')) continue;
    const isCrlf = original.includes('\r\n');
    const text = original.replaceAll('\r\n', '\n');
    // a file with mixed line ends would change as a whole
    if (isCrlf && text.replaceAll('\n', '\r\n') !== original) continue;
    const classes = classesIn(path, text);
    for (const cls of classes)
      for (const blamed of blamedSets(cls, path, repairs, called)) {
        const context = { cls, classes, blamed, entries: entriesOf(cls, blamed) };
        for (const [order, family] of families.entries())
          family(context, ({ family: name, title, edit, warnings = [], losesWork = false }) => {
            const draft = new Draft(cls);
            try {
              edit(draft);
            } catch (error) {
              if (error instanceof Refused) return;
              throw error;
            }
            const after = isCrlf ? draft.text.replaceAll('\n', '\r\n') : draft.text;
            if (after === original || found.has(after)) return;
            found.set(after, {
              family: name,
              title,
              file: relative('.', path).replaceAll('\\', '/'),
              path,
              warnings: [...new Set(warnings)],
              before: original,
              after,
              losesWork,
              className: nameOfClass(cls),
              order,
            });
          });
      }
  }
  return [...found.values()];
}

/** The methods to change: those with the blamed lines of each repair, and those that the failing test calls. */
function blamedSets(
  cls: ClassSource,
  path: string,
  repairs: readonly (readonly Block[])[],
  called: ReadonlySet<string>,
): Set<Method>[] {
  const sets = repairs.map(
    (blocks) =>
      new Set(
        blocks.flatMap(({ file, start }) => {
          const offset = cls.source.offsetOf(start);
          return file === path
            ? cls.methods.filter(({ node }) => node.start <= offset && offset < node.end)
            : [];
        }),
      ),
  );
  const own = cls.methods.filter(({ name }) => called.has(name));
  return [...sets, new Set(own)].filter((set) => set.size > 0);
}

/** The public methods through which some methods are reached. */
function entriesOf(cls: ClassSource, blamed: ReadonlySet<Method>): Set<Method> {
  const reached = new Set(blamed);
  for (const method of reached) {
    if (method.isPublic) continue;
    for (const other of cls.methods) if (other.calls.has(method.name)) reached.add(other);
  }
  return new Set([...reached].filter(({ isPublic }) => isPublic));
}
