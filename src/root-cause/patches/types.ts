/**
 * Type errors that a patch adds, found by the TypeScript of the patched project under its own configuration.
 *
 * Errors that the file had before do not count. A project without TypeScript is not checked.
 */
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

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

/** The messages of errors that only the second text has; undefined if the project has no TypeScript. */
export function typeErrors(file: string, before: string, after: string): readonly string[] | undefined {
  if (!/\.[cm]?tsx?$/.test(file)) return undefined;
  const ts = typescriptOf(file);
  if (ts === undefined) return undefined;
  const left = [...errorsOf(ts, file, before)];
  return errorsOf(ts, file, after).filter((error) => {
    const known = left.indexOf(error);
    if (known >= 0) left.splice(known, 1);
    return known < 0;
  });
}

function typescriptOf(file: string): TypeScript | undefined {
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
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(found)).options;
}
