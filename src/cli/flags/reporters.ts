/**
 * Who is told what a command came to: `--reporter junit=out.xml`, several at once, each with its file.
 *
 * `default` and `github` may share standard output; each other one wants it for itself. Where nobody writes there, the
 * default does.
 */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../../config/usage-error.js';
import { type CommandResult, EXIT } from '../../jobs/model/command-result.js';
import type { Diagnostic } from '../../report/diagnostic.js';
import { github, junit, sarif } from '../../report/reporters/sarif.js';
import { VERSION } from '../terminal/progress.js';

/** A JSON document on one line, in pieces: the ids of ten million operations are longer than one string can be. */
const LONG = 100_000;

export function* jsonPieces(document: unknown): Generator<string> {
  yield* pieces(document);
  yield '\n';
}

function* pieces(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length > LONG) yield* longList(value);
  else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    let before = '{';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* pieces(field);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield text(value);
}

function* longList(items: readonly unknown[]): Generator<string> {
  for (let start = 0; start < items.length; start += LONG)
    yield (start === 0 ? '[' : ',') + text(items.slice(start, start + LONG)).slice(1, -1);
  yield ']';
}

/** The numbers of JSON need not be exact, so bigints are texts. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, own: unknown) => (typeof own === 'bigint' ? String(own) : own));

const REPORTERS = ['default', 'json', 'junit', 'sarif', 'github'] as const;
type Name = (typeof REPORTERS)[number];

export interface Reporter {
  readonly name: Name;
  readonly file: string | undefined;
}

/** For commander: one more. */
const addReporter = (text: string, before: readonly Reporter[] = []): Reporter[] => {
  const [, name, file] = /^([^=]*)(?:=(.*))?$/.exec(text) ?? [];
  const known = REPORTERS.find((own) => own === name);
  if (!known)
    throw new UsageError(
      `${JSON.stringify(name)} is no reporter; expected ${REPORTERS.join(', ')}, with a file as in junit=out.xml`,
    );
  if (file !== undefined) checkFile(file);
  return [...before, { name: known, file }];
};

/** `--reporter`, for a command. */
export const addReporterFlag = (command: Command): Command =>
  command.option(
    '--reporter <name>',
    `${REPORTERS.join(', ')}; with a file as in junit=out.xml; may be given several times`,
    addReporter,
  );

function checkFile(file: string): void {
  if (file === '' || !existsSync(dirname(file)))
    throw new UsageError(`${JSON.stringify(file)} can not be written: there is no such folder`);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${file} is a folder; expected a file to write`);
}

export class Reporters {
  readonly #reporters: readonly Reporter[];
  readonly #isQuiet: boolean;
  readonly #findings: Diagnostic[] = [];
  /** What goes into files of the reporters that write as it comes. */
  readonly #texts = new Map<Reporter, string[]>();

  constructor(
    asked: readonly Reporter[],
    { json = false, quiet = false }: { json?: boolean; quiet?: boolean },
  ) {
    const all = json ? [...asked, { name: 'json', file: undefined } as const] : asked;
    const printing = all.filter(({ file }) => file === undefined).map(({ name }) => name);
    const alone = printing.filter((name) => name !== 'default' && name !== 'github');
    if (alone.length > 0 && printing.length > 1)
      throw new UsageError(
        `${printing.join(' and ')} would both print; give one a file: --reporter ${alone[0]}=out.${alone[0] === 'junit' ? 'xml' : alone[0]}`,
      );
    this.#reporters = printing.length > 0 ? all : [{ name: 'default', file: undefined }, ...all];
    this.#isQuiet = quiet;
  }

  /** Is anybody told this? Text for people has colours, so a file gets that of the finding. */
  wants(what: 'text' | 'document' | 'finding'): boolean {
    return this.#reporters.some(({ name, file }) => {
      if (name === 'default') return what === (file === undefined ? 'text' : 'finding');
      return what === (name === 'json' ? 'document' : 'finding');
    });
  }

  /** Is text for people printed? */
  get speaks(): boolean {
    return (
      !this.#isQuiet && this.#reporters.some(({ name, file }) => name === 'default' && file === undefined)
    );
  }

  /** `among`: one of several, so a report of several lines needs room around it. */
  take({ code, document, text, finding }: CommandResult, among: boolean): void {
    this.#findings.push(finding);
    for (const reporter of this.#reporters) {
      if (reporter.name === 'json') for (const piece of jsonPieces(document)) this.#write(reporter, piece);
      if (reporter.name !== 'default') continue;
      const room = among && text.includes('\n') ? '\n' : '';
      if (reporter.file !== undefined) this.#write(reporter, `${finding.text}\n${room}`);
      else if (code === EXIT.badInput) process.stderr.write(`${text}\n`);
      else if (!this.#isQuiet) process.stdout.write(`${text}\n${room}`);
    }
  }

  /** Those that tell of all files together. */
  finish(): void {
    for (const reporter of this.#reporters) {
      if (reporter.name === 'junit') this.#write(reporter, junit(this.#findings));
      if (reporter.name === 'sarif') this.#write(reporter, sarif(this.#findings, VERSION));
      if (reporter.name === 'github') this.#write(reporter, github(this.#findings));
      if (reporter.file !== undefined)
        writeFileSync(reporter.file, (this.#texts.get(reporter) ?? []).join(''));
    }
  }

  #write(reporter: Reporter, text: string): void {
    if (reporter.file === undefined) process.stdout.write(text);
    else {
      const texts = this.#texts.get(reporter) ?? [];
      this.#texts.set(reporter, texts);
      texts.push(text);
    }
  }
}
