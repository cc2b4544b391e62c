/**
 * Patches of a failing program: small edits of its source, each accepted only if exploring the patched source shows that it
 * holds (guards.ts).
 *
 * Families propose edits near the blamed lines, or in the methods that the failing test calls. Equal texts are tried once.
 * Accepted patches are ranked: no lost work, no new lock, at the lines of the cause, kept concurrency (virtual time of
 * overlapping calls), changed lines, order of the families. If no edit holds, two edits are tried together.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError, thrownText } from '../../base/errors.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import type { Block } from '../../execution/atomic-blocks.js';
import { backendNameOf } from '../../explore/choose-backend.js';
import type { TestResult } from '../../explore/result.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { hasRoles, type TestCase } from '../../explore/scenario/test-case.js';
import {
  type Candidate,
  candidatesFor,
  hasSeveralKeys,
  type PatchCandidate,
  type Refuted,
  secondEdits,
  typeErrors,
} from './candidates.js';
import { type Load, silently, Version } from './failures.js';
import type { Because, Evidence, Kept, Rejection } from './guard-tests.js';
import { Guards } from './guards.js';
import {
  changedLines,
  countChangedLines,
  gitPath,
  type TextEdit,
  textEdits,
  unifiedDiff,
} from './model/draft.js';
import { classesIn, nameOfClass } from './model/source.js';

/** Options of `findPatches`. */
export interface PatchOptions {
  /** Loads the scenario. `overlay` has other texts of some files, by full path. */
  readonly load: (overlay: ReadonlyMap<string, string>) => Scenario;
  /** The files that a patch may change. */
  readonly files: readonly string[];
  /** Repairs of an explanation: patches change the methods with their lines. */
  readonly repairs?: readonly { readonly repair: readonly Block[] }[] | undefined;
  /** Seed of random choices. Default: 1. */
  readonly seed?: number | undefined;
  /** Ends the search early; edits that were not explored are not patches. */
  readonly shouldStop?: (() => boolean) | undefined;
  /** Called before each edit is explored. */
  readonly onProgress?: ((explored: number, of: number) => void) | undefined;
}

/** A verified patch. */
export interface Patch extends PatchCandidate {
  /** A unified diff that `git apply` accepts. */
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
  readonly evidence: Evidence & { readonly types: 'checked' | 'not checked' | 'no compiler API' };
  /** Virtual milliseconds of overlapping calls, before and after. */
  readonly makespan: { readonly before: number; readonly after: number } | undefined;
}

/** An edit that was not accepted. */
export interface RejectedPatch extends PatchCandidate {
  readonly because: Because;
  /** The test that refutes it. */
  readonly test?: TestCase | undefined;
  readonly text?: string | undefined;
}

/** The result of a search for patches. */
export interface PatchSearch {
  /** The best first. */
  readonly patches: readonly Patch[];
  /** Nothing refutes these, but not all required tests were explored, or straightedge failed. */
  readonly unrefuted: readonly RejectedPatch[];
  readonly rejected: readonly RejectedPatch[];
  /** Edits that were not explored further, because a smaller one of their kind holds. */
  readonly skipped: number;
}

/**
 * Searches for patches of a failing test. Each patch that is returned was explored: it holds in every schedule of the
 * failing test, of all tests of up to 2×2 and of 3×1, and sequential runs equal those of the original.
 *
 * @example
 * const [found] = exploration.results.slice(-1);
 * const load = (overlay: ReadonlyMap<string, string>) =>
 *   (loadInstrumented('counter.scenario.ts', { overlay }) as { default: Scenario }).default;
 * const repair = async () => (await findPatches(found, { load, files: ['counter.ts'] })).patches;
 */
export async function findPatches(found: TestResult, options: PatchOptions): Promise<PatchSearch> {
  return inOwnTask(() => findPatchesSync(found.test, options));
}

/** `findPatches` in the current task. */
export function findPatchesSync(failing: TestCase, options: PatchOptions): PatchSearch {
  return silently(() => search(failing, options));
}

function search(failing: TestCase, options: PatchOptions): PatchSearch {
  const load = named(options.load);
  const original = load(new Map());
  const isAsync = original.backend === 'async';
  const texts = new Map(options.files.map((file) => [resolve(file), readFileSync(file, 'utf8')]));
  const blocks = (options.repairs ?? []).slice(0, MOST_REPAIRS).map(({ repair }) => repair);
  const edits = candidatesFor(texts, isAsync, failing, blocks);
  let found = new Search(load, failing, options, texts);
  const isAtCause = ({ path, before, after }: Patch): boolean =>
    changedLines(before, after).some(({ from, to }) =>
      blocks[0]?.some(
        ({ file, start, end }) => resolve(file) === path && from <= end.line && start.line <= to + 1,
      ),
    );
  found.explore(edits);
  if (found.ranked.length === 0) found.explore(secondEdits(found.refuted, texts, isAsync, failing));
  const hasCalls = original.calls.length > 0 || original.tests !== undefined;
  if (found.ranked.length === 0 && !hasCalls && hasRoles(failing)) {
    const byRole = new Search(load, failing, options, texts, 'roles');
    byRole.explore(edits);
    if (byRole.ranked.length > 0) found = byRole;
  }
  let { ranked, rejected } = found;
  // the scenario offers no calls, only a test: other overlapping calls may not be meant to be correct
  if (!hasCalls && original.test !== undefined && ranked.every((one) => serialised(one) >= 0)) {
    const within = new Search(load, failing, options, texts, 'test');
    within.explore(edits.filter((one) => serialised(one) < 0));
    ranked = [...ranked, ...within.ranked];
    rejected = rejected.filter(({ title }) => !within.ranked.some((one) => one.title === title));
  }
  return {
    patches: ranked.sort(byRank(isAtCause)).map(({ order: _, ...patch }) => patch),
    unrefuted: rejected.filter(({ because }) => because === 'budget' || because === 'bug'),
    rejected: rejected.filter(({ because }) => because !== 'budget' && because !== 'bug'),
    skipped: found.skipped,
  };
}

/** Explores candidates, cheapest tests first. */
class Search {
  readonly ranked: Ranked[] = [];
  readonly rejected: RejectedPatch[] = [];
  readonly refuted: Refuted[] = [];
  skipped = 0;
  readonly #load: Load;
  readonly #failing: TestCase;
  readonly #options: PatchOptions;
  readonly #guards = new Map<string, Guards>();
  readonly #shouldStop: () => boolean;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #kept: Kept;

  constructor(
    load: Load,
    failing: TestCase,
    options: PatchOptions,
    texts: ReadonlyMap<string, string>,
    kept: Kept = undefined,
  ) {
    this.#kept = kept;
    this.#load = load;
    this.#failing = failing;
    this.#options = options;
    this.#texts = texts;
    this.#shouldStop = options.shouldStop ?? (() => false);
  }

  explore(candidates: readonly Candidate[]): void {
    const { onProgress } = this.#options;
    // most edits fail on the failing test, so that all of them are explored before the larger tests
    const left = candidates.flatMap((candidate, i) => {
      onProgress?.(i, candidates.length);
      const patched = this.#attempt(() => new Version(this.#load, candidate, candidate.after), 'syntax');
      const tried =
        patched instanceof Version
          ? this.#attempt(() => refuted(patched, this.#guardsFor(candidate)))
          : patched;
      if (tried instanceof Version) return [{ candidate, patched: tried }];
      this.#reject(candidate, tried, false);
      return [];
    });
    const groups = new Set<string>();
    for (const [i, { candidate, patched }] of left.entries()) {
      onProgress?.(candidates.length - left.length + i, candidates.length);
      if (candidate.group !== undefined && groups.has(candidate.group)) {
        this.skipped++;
        continue;
      }
      const tried = this.#attempt(() => checked(candidate, patched, this.#guardsFor(candidate)));
      if (!('diff' in tried)) this.#reject(candidate, tried, true);
      else {
        const warnings = [...tried.warnings, ...uncalledWarnings(candidate, this.#texts)];
        this.ranked.push({ ...tried, warnings });
        if (candidate.group !== undefined) groups.add(candidate.group);
      }
    }
  }

  #reject(candidate: Candidate, tried: Tried, isHelpful: boolean): void {
    const { family, title, file, warnings } = candidate;
    this.rejected.push({ family, title, file, warnings, ...tried });
    if (tried.because === 'violation' || tried.because === 'deadlock')
      this.refuted.push({ candidate, test: tried.test, isHelpful });
  }

  #guardsFor({ path, before, className }: Candidate): Guards {
    const place = `${path} ${className}`;
    let guards = this.#guards.get(place);
    if (guards === undefined) {
      const original = new Version(this.#load, { path, className }, before);
      const { seed = 1 } = this.#options;
      guards = new Guards(original, this.#failing, seed, this.#shouldStop, this.#kept);
      this.#guards.set(place, guards);
    }
    return guards;
  }

  /** Code that cannot be explored is rejected. An exception of our own says nothing about the code. */
  #attempt<R>(run: () => R, otherwise: Because = 'bug'): R | Tried {
    if (this.#shouldStop()) return { because: 'budget' };
    try {
      return run();
    } catch (error) {
      const because = error instanceof InputError ? 'syntax' : otherwise;
      return { because, text: thrownText(error) };
    }
  }
}

/** Changed methods, and methods that share fields with them, that no other code mentions: they were not explored. */
function uncalledWarnings(
  { path, before, after, className }: Candidate,
  texts: ReadonlyMap<string, string>,
): string[] {
  const cls = classesIn(path, before).find((one) => nameOfClass(one) === className);
  if (cls === undefined) return [];
  const edits = textEdits(before, after);
  const changed = cls.methods.filter(({ node }) =>
    edits.some(({ start, end }) => start < node.end && node.start < end),
  );
  const outside = [...texts].map(([file, text]) =>
    file === path ? before.slice(0, cls.node.start) + before.slice(cls.node.end) : text,
  );
  return cls.uncalled(outside, changed).map(({ method, field }) => {
    const what = changed.includes(method) ? 'is changed' : `uses ${field} too`;
    return `${method.name} ${what}; the scenario does not call it, so it was not explored`;
  });
}

/** Repairs whose lines are looked at. */
const MOST_REPAIRS = 3;

const named =
  (load: Load): Load =>
  (overlay) => {
    const scenario = load(overlay);
    return { ...scenario, backend: backendNameOf(scenario) };
  };

/** Explores the failing test with the files on disk, against the original of a patch. Does it hold now? */
export function holdsOnDisk(patch: Patch, failing: TestCase, options: PatchOptions): boolean {
  const load = named(options.load);
  const original = new Version(load, { path: patch.path, className: '' }, patch.before);
  const guards = new Guards(original, failing, options.seed ?? 1, options.shouldStop ?? (() => false));
  return guards.refute(load(new Map())) === undefined;
}

type Tried = Pick<RejectedPatch, 'because' | 'test' | 'text'>;

/** Explores the failing test with a candidate. */
function refuted(patched: Version, guards: Guards): Version | Tried {
  const rejection = guards.refute(patched.scenario);
  return rejection === undefined ? patched : triedOf(rejection);
}

/** Explores all other tests, and checks the types. */
function checked(candidate: Candidate, patched: Version, guards: Guards): Ranked | Tried {
  const explored = guards.check(patched);
  if (explored.kind === 'rejected') return triedOf(explored);
  const namesOneKey = candidate.isKeyed && !hasSeveralKeys(patched.scenario);
  const refusedKeys = namesOneKey ? guards.refuteOtherKeys(patched.scenario) : undefined;
  if (refusedKeys) return triedOf(refusedKeys);
  const { path, before, after, order } = candidate;
  const errors = typeErrors(path, before, after);
  const types = typeof errors === 'string' ? errors : 'checked';
  if (types === 'checked' && errors.length > 0) return { because: 'types', text: errors[0] };
  const warnings = [
    ...candidate.warnings,
    ...(namesOneKey ? ['overlapping calls with different keys were explored with invented keys'] : []),
  ];
  return {
    ...toPatch(candidate),
    warnings,
    order,
    evidence: { ...explored.evidence, types },
    makespan: guards.makespan(patched.scenario),
  };
}

const triedOf = ({ because, test, text }: Rejection): Tried => ({ because, test, text });

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
    diff: unifiedDiff(gitPath(path) ?? file, before, after),
    changedLines: countChangedLines(before, after),
    edits: textEdits(before, after),
    sha256: createHash('sha256').update(before).digest('hex'),
  };
}

type Ranked = Patch & { readonly order: number };

/** Do calls run in sequence: those of one key, or all? */
const serialised = ({ family }: PatchCandidate): number => ['key-lock', 'lock'].indexOf(family);

/** `isAtCause`: does a patch change the lines of the best repair, or those beside them? */
const byRank =
  (isAtCause: (patch: Patch) => boolean) =>
  (a: Ranked, b: Ranked): number => {
    const slowdown = ({ makespan }: Ranked): number =>
      makespan === undefined ? 0 : makespan.after - makespan.before;
    return (
      Number(a.losesWork) - Number(b.losesWork) ||
      serialised(a) - serialised(b) ||
      Number(isAtCause(b)) - Number(isAtCause(a)) ||
      slowdown(a) - slowdown(b) ||
      a.changedLines - b.changedLines ||
      a.order - b.order
    );
  };
