/**
 * Candidates: the edits of all families near the blamed lines, and in the methods that the failing test calls. Each text is
 * a candidate once. Whether one is correct is not decided here, except for types.
 *
 * Types are checked by the TypeScript of the patched project under its own configuration. Errors that the file had before
 * do not count. A project without TypeScript is not checked.
 */
import { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { Interner } from '../../base/values/interner.js';
import type { Block } from '../../execution/atomic-blocks.js';
import { isSequence } from '../../explore/scenario/calls.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import type { TestCase } from '../../explore/scenario/test-case.js';
import { atomicsFamily } from './families/atomics.js';
import { firstFamily, freshFamily, recheckFamily, shareFamily, takeFamily } from './families/awaits.js';
import { lockFamily } from './families/exclusion.js';
import { callOrderFamily, holdFamily, lockedRecheckFamily, orderFamily } from './families/locks.js';
import { elementFamily, readOnceFamily, swapFamily, undoneFamily } from './families/memory.js';
import { lateFamily, rereadFamily } from './families/rereads.js';
import { earlyFamily, restoreFamily, withdrawFamily } from './families/undoing.js';
import { tagFamily, versionFamily } from './families/versions.js';
import { cleanupFamily, copyFamily, wakeFamily } from './families/waiting.js';
import { countChangedLines, Draft, EditRefused, type Family } from './model/draft.js';
import { type ClassSource, classesIn, isSubclass, type Method, nameOfClass } from './model/source.js';

/** In the order in which equal patches are ranked. */
const ASYNC: readonly Family[] = [
  wakeFamily,
  copyFamily,
  freshFamily,
  lateFamily,
  versionFamily,
  restoreFamily,
  withdrawFamily,
  callOrderFamily,
  shareFamily,
  cleanupFamily,
  lockFamily,
  earlyFamily,
  firstFamily,
  takeFamily,
  recheckFamily,
  rereadFamily,
];
const THREADS: readonly Family[] = [
  readOnceFamily,
  swapFamily,
  elementFamily,
  atomicsFamily,
  undoneFamily,
  tagFamily,
  lateFamily,
  lockedRecheckFamily,
  holdFamily,
  orderFamily,
  wakeFamily,
];

/** An edit of one file. */
export interface PatchCandidate {
  readonly family: string;
  readonly title: string;
  /** Relative to the working folder. */
  readonly file: string;
  readonly warnings: readonly string[];
}

/** A candidate with the texts of its file. */
export interface Candidate extends PatchCandidate {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly losesWork: boolean;
  readonly changesFailures: boolean;
  readonly isKeyed: boolean;
  readonly group: string | undefined;
  readonly className: string;
  readonly order: number;
}

/** A file that may be patched. Line ends are those of Unix; `restored` brings back those of the file. */
interface PatchableFile {
  readonly path: string;
  readonly original: string;
  readonly classes: readonly ClassSource[];
  restored(text: string): string;
}

function patchableFiles(files: ReadonlyMap<string, string>): PatchableFile[] {
  return [...files].flatMap(([path, original]): PatchableFile[] => {
    if (path.replaceAll('\\', '/').includes('/node_modules/')) return [];
    const isCrlf = original.includes('\r\n');
    const text = original.replaceAll('\r\n', '\n');
    // a file with mixed line ends would change as a whole
    if (isCrlf && text.replaceAll('\n', '\r\n') !== original) return [];
    const restored = (patched: string) => (isCrlf ? patched.replaceAll('\n', '\r\n') : patched);
    return [{ path, original, classes: classesIn(path, text), restored }];
  });
}

/** All edits of all families, each text once. `isChanged` selects the files to change; the others are read. */
export function candidatesFor(
  files: ReadonlyMap<string, string>,
  isAsync: boolean,
  { threads }: TestCase,
  repairs: readonly (readonly Block[])[],
  isChanged: (path: string) => boolean = () => true,
): Candidate[] {
  const called = new Set(threads.flat().map(([method]) => method));
  const found = new Map<string, Candidate>();
  const patchable = patchableFiles(files);
  const classes = patchable.flatMap((file) => file.classes);
  for (const cls of classes) {
    const isRelated = (other: ClassSource): boolean =>
      isSubclass(cls, other, classes) || isSubclass(other, cls, classes);
    cls.relatives = classes.filter(isRelated);
  }
  for (const { path, original, classes: own, restored } of patchable.filter((file) => isChanged(file.path)))
    for (const cls of own)
      for (const blamed of blamedSets(cls, path, repairs, called)) {
        const context = { cls, classes, blamed, entries: entriesOf(cls, blamed) };
        for (const [order, family] of (isAsync ? ASYNC : THREADS).entries())
          family(context, ({ family: name, title, edit, group, ...proposal }) => {
            const draft = new Draft(cls);
            try {
              edit(draft);
            } catch (error) {
              if (error instanceof EditRefused) return;
              throw error;
            }
            const after = restored(draft.text);
            if (after === original || found.has(after)) return;
            const { warnings = [], losesWork = false, changesFailures = false, isKeyed = false } = proposal;
            found.set(after, {
              family: name,
              title,
              file: relative('.', path).replaceAll('\\', '/'),
              path,
              warnings: [...new Set(warnings)],
              before: original,
              after,
              losesWork,
              changesFailures,
              isKeyed,
              group: group && `${path} ${group}`,
              className: nameOfClass(cls),
              order,
            });
          });
      }
  return [...found.values()];
}

/**
 * The methods to change: those with the blamed lines of each repair, those that the failing test calls, and these with the
 * private methods that they reach.
 */
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
  const own = new Set(cls.methods.filter(({ name }) => called.has(name)));
  const reached = new Set(own);
  for (const { calls } of reached)
    for (const method of cls.methods) if (!method.isPublic && calls.has(method.name)) reached.add(method);
  return [...sets, own, reached].filter((set) => set.size > 0);
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

/** Do calls differ in their first argument, a primitive? Otherwise a lock for each key was not explored. */
export function hasSeveralKeys({ calls }: Scenario): boolean {
  const keys = new Interner();
  for (const choice of calls) {
    if ('method' in choice) return true;
    for (const [, key] of isSequence(choice) ? choice : [choice]) if (key !== undefined) keys.intern(key);
  }
  const isPrimitive = keys.values.every((key) => key === null || typeof key !== 'object');
  return keys.values.length > 1 && isPrimitive;
}

/** An edit that a test refutes, and whether it helps in the failing test. */
export interface Refuted {
  readonly candidate: Candidate;
  readonly test: TestCase | undefined;
  readonly isHelpful: boolean;
}

const MOST_FIRST_EDITS = 6;
const MOST_SECOND_EDITS = 40;
/** These make calls run in sequence: a second edit does not add to them. */
const ALONE = new Set(['lock', 'key-lock', 'share']);

/** A class may have two faults: edits of what one edit gives, the shortest first. The first one that holds is enough. */
export function secondEdits(
  refuted: readonly Refuted[],
  files: ReadonlyMap<string, string>,
  isAsync: boolean,
  failing: TestCase,
): Candidate[] {
  const isLocal = ({ family, losesWork }: Candidate): boolean => !losesWork && !ALONE.has(family);
  const bases = refuted
    .filter(({ candidate }) => isLocal(candidate))
    .toSorted((a, b) => Number(b.isHelpful) - Number(a.isHelpful));
  const tried = new Set(refuted.map(({ candidate }) => candidate.after));
  const found = new Map<string, Candidate>();
  for (const { candidate: one, test = failing } of bases.slice(0, MOST_FIRST_EDITS))
    for (const other of candidatesFor(
      new Map([...files, [one.path, one.after]]),
      isAsync,
      test,
      [],
      (path) => path === one.path,
    )) {
      if (!isLocal(other) || other.className !== one.className || tried.has(other.after)) continue;
      found.set(other.after, {
        ...other,
        before: one.before,
        family: one.family === other.family ? one.family : `${one.family} and ${other.family}`,
        title: `${one.title}, and ${other.title}`,
        warnings: [...new Set([...one.warnings, ...other.warnings])],
        changesFailures: one.changesFailures || other.changesFailures,
        group: `${one.path} second`,
      });
    }
  return [...found.values()]
    .toSorted((a, b) => countChangedLines(a.before, a.after) - countChangedLines(b.before, b.after))
    .slice(0, MOST_SECOND_EDITS);
}

/** The part of TypeScript that is used. */
interface TypeScript {
  findConfigFile(folder: string, exists: (file: string) => boolean): string | undefined;
  readConfigFile(file: string, read: (file: string) => string | undefined): { config?: unknown };
  parseJsonConfigFileContent(config: unknown, host: unknown, folder: string): { options: object };
  createCompilerHost(options: object): Host;
  createProgram(files: readonly string[], options: object, host: Host, old?: Program): Program;
  createSourceFile(file: string, text: string, language: unknown): unknown;
  flattenDiagnosticMessageText(text: unknown, newLine: string): string;
  readonly sys: { fileExists(file: string): boolean; readFile(file: string): string | undefined };
  readonly ScriptTarget: { readonly Latest: number };
}

interface Host {
  getSourceFile: (file: string, language: unknown, ...more: unknown[]) => unknown;
}

interface Program {
  getSourceFile(file: string): unknown;
  getSyntacticDiagnostics(
    source: unknown,
  ): readonly { readonly code: number; readonly messageText: unknown }[];
  getSemanticDiagnostics(
    source: unknown,
  ): readonly { readonly code: number; readonly messageText: unknown }[];
}

/** File to the errors of its texts, and to what a check can reuse. */
const checked = new Map<string, { readonly errors: Map<string, readonly string[]>; program?: Program }>();

/** Why types were not checked: the file or the project is not TypeScript, or its TypeScript cannot be called (version 7). */
type Unchecked = 'not checked' | 'no compiler API';

/** The messages of errors that only the second text has, or why there are none. */
export function typeErrors(file: string, before: string, after: string): readonly string[] | Unchecked {
  if (!/\.[cm]?tsx?$/.test(file)) return 'not checked';
  const ts = typescriptOf(file);
  if (ts === undefined) return 'not checked';
  if (ts.createProgram === undefined) return 'no compiler API';
  const left = [...errorsOf(ts, file, before)];
  return errorsOf(ts, file, after).filter((error) => {
    const known = left.indexOf(error);
    if (known >= 0) left.splice(known, 1);
    return known < 0;
  });
}

function typescriptOf(file: string): TypeScript | { readonly createProgram?: undefined } | undefined {
  try {
    return createRequire(file)('typescript') as TypeScript;
  } catch {
    return undefined;
  }
}

function errorsOf(ts: TypeScript, file: string, text: string): readonly string[] {
  const entry = checked.get(file) ?? { errors: new Map<string, readonly string[]>() };
  checked.set(file, entry);
  const known = entry.errors.get(text);
  if (known !== undefined) return known;
  const options = { ...optionsOf(ts, file), noEmit: true, skipLibCheck: true };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, language, ...more) =>
    resolve(path) === resolve(file)
      ? ts.createSourceFile(path, text, language)
      : sourceOf(path, () => read(path, language, ...more));
  const program = ts.createProgram([file], options, host, entry.program);
  const source = program.getSourceFile(file);
  const errors = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    ({ code, messageText }) => `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  );
  entry.program = program;
  entry.errors.set(text, errors);
  return errors;
}

/** The libraries are parsed once. */
const sources = new Map<string, unknown>();

function sourceOf(path: string, read: () => unknown): unknown {
  if (!sources.has(path)) sources.set(path, read());
  return sources.get(path);
}

function optionsOf(ts: TypeScript, file: string): object {
  const found = ts.findConfigFile(dirname(file), (path) => ts.sys.fileExists(path));
  if (found === undefined) return { strict: true, target: ts.ScriptTarget.Latest };
  const { config } = ts.readConfigFile(found, (path) => ts.sys.readFile(path));
  // the files of the project are not needed
  const host = { ...ts.sys, readDirectory: () => [] };
  return ts.parseJsonConfigFileContent(config, host, dirname(found)).options;
}
