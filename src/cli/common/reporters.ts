/**
 * The reporters of a command: `--reporter junit=out.xml`, repeatable, each with an optional file.
 *
 * `default` and `github` may share standard output; every other reporter needs it alone. If no reporter prints, the
 * default one does.
 */
import { writeWhole } from '../../base/system-files.js';
import { printable, printableJson, printableText } from '../../base/values/show.js';
import {
  EXIT,
  expectWritable,
  type LostFile,
  tryToWrite,
  UsageError,
  withLostFiles,
} from '../../config/usage-error.js';
import type { CommandResult } from '../../jobs/model/command-result.js';
import { githubReport, junitReport, sarifReport } from '../../report/ci-reports.js';
import type { Diagnostic } from '../../report/diagnostic.js';
import { type Terminal, VERSION } from './terminal.js';

/* A JSON document in pieces: the ids of ten million operations exceed the length of a string. */

/** The items of a list that become one piece. */
const ITEMS_PER_PIECE = 100_000;

/** Yields a JSON document on one line, in pieces. */
export function* jsonPieces(document: unknown): Generator<string> {
  yield* pieces(document);
  yield '\n';
}

function* pieces(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length > ITEMS_PER_PIECE) yield* listPieces(value);
  else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    let before = '{';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${before}${stringify(name)}:`;
      yield* pieces(field);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield stringify(value);
}

function* listPieces(items: readonly unknown[]): Generator<string> {
  for (let start = 0; start < items.length; start += ITEMS_PER_PIECE)
    yield (start === 0 ? '[' : ',') + stringify(items.slice(start, start + ITEMS_PER_PIECE)).slice(1, -1);
  yield ']';
}

/** Numbers of JSON may be rounded by their reader, so a bigint becomes a text. */
const stringify = (value: unknown): string =>
  printableJson(JSON.stringify(value, (_, own: unknown) => (typeof own === 'bigint' ? String(own) : own)));

const REPORTERS = ['default', 'json', 'junit', 'sarif', 'github'] as const;

export interface Reporter {
  readonly name: (typeof REPORTERS)[number];
  readonly file: string | undefined;
}

/** `--reporter`, as arguments of `Command.option`. */
export const REPORTER: readonly [
  usage: '--reporter <name[=file]>',
  help: string,
  parse: (text: string, before?: readonly Reporter[]) => readonly Reporter[],
] = [
  '--reporter <name[=file]>',
  'report as default, json, junit, sarif or github; repeatable (default: default)',
  (text, before = []) => {
    const [, name, file] = /^([^=]*)(?:=(.*))?$/.exec(text) ?? [];
    const known = REPORTERS.find((own) => own === name);
    if (!known)
      throw new UsageError(
        `unknown reporter ${JSON.stringify(name)}; expected ${REPORTERS.join(', ')}, with a file as in junit=out.xml`,
      );
    if (file !== undefined) expectWritable(file);
    return [...before, { name: known, file }];
  },
];

export class Reporters {
  readonly #reporters: readonly Reporter[];
  readonly #isQuiet: boolean;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #terminal: Terminal;
  /** The contents of the files, by reporter. */
  readonly #texts = new Map<Reporter, string[]>();
  readonly #lost: LostFile[] = [];

  constructor(
    {
      reporter = [],
      json = false,
      quiet = false,
    }: {
      readonly reporter?: readonly Reporter[] | undefined;
      readonly json?: boolean | undefined;
      readonly quiet?: boolean | undefined;
    },
    terminal: Terminal,
  ) {
    const all = json ? [...reporter, { name: 'json', file: undefined } as const] : reporter;
    const printing = all.filter(({ file }) => file === undefined).map(({ name }) => name);
    const alone = printing.filter((name) => name !== 'default' && name !== 'github');
    if (alone.length > 0 && printing.length > 1)
      throw new UsageError(
        `the reporters ${printing.join(' and ')} cannot share standard output; give one a file: --reporter ${alone[0]}=out.${alone[0] === 'junit' ? 'xml' : alone[0]}`,
      );
    this.#reporters = printing.length > 0 ? all : [{ name: 'default', file: undefined }, ...all];
    this.#isQuiet = quiet;
    this.#terminal = terminal;
  }

  /** Whether some reporter needs this form. Text has colours, so a file gets the text of the finding. */
  needs(what: 'text' | 'document' | 'finding'): boolean {
    return this.#reporters.some(({ name, file }) => {
      if (name === 'default') return what === (file === undefined ? 'text' : 'finding');
      return what === (name === 'json' ? 'document' : 'finding');
    });
  }

  /** Whether text is printed. */
  get isText(): boolean {
    return (
      !this.#isQuiet && this.#reporters.some(({ name, file }) => name === 'default' && file === undefined)
    );
  }

  /** `isOneOfSeveral`: an empty line follows a report of several lines. */
  add({ code, document, text, finding, stack, failure }: CommandResult, isOneOfSeveral: boolean): void {
    if (stack !== undefined && this.#terminal.isDebug) this.#terminal.stderr.write(`${stack}\n`);
    if (failure !== undefined) this.#terminal.stderr.write(`${printableText(failure)}\n`);
    this.#diagnostics.push(finding);
    for (const reporter of this.#reporters) {
      if (reporter.name === 'json')
        this.#try(reporter, () => {
          for (const piece of jsonPieces(document)) this.#write(reporter, piece);
        });
      if (reporter.name !== 'default') continue;
      const separator = isOneOfSeveral && text.includes('\n') ? '\n' : '';
      if (reporter.file !== undefined) this.#write(reporter, `${printableText(finding.text)}\n${separator}`);
      else if (code === EXIT.badInput || code === EXIT.internal) this.#terminal.stderr.write(`${text}\n`);
      else if (!this.#isQuiet) this.#terminal.stdout.write(`${text}\n${separator}`);
    }
  }

  /** Writes the reports that cover all files, and reports those that cannot be written. Returns the exit code. */
  finish(code: number): number {
    for (const reporter of this.#reporters)
      this.#try(reporter, () => {
        if (reporter.name === 'junit') this.#write(reporter, junitReport(this.#diagnostics));
        if (reporter.name === 'sarif') this.#write(reporter, sarifReport(this.#diagnostics, VERSION));
        if (reporter.name === 'github') this.#write(reporter, githubReport(this.#diagnostics));
        if (reporter.file !== undefined)
          writeWhole(reporter.file, (this.#texts.get(reporter) ?? []).join(''));
      });
    return withLostFiles(code, this.#lost);
  }

  #try({ file = 'standard output' }: Reporter, write: () => void): void {
    const lost = tryToWrite(file, write);
    if (lost === undefined) return;
    this.#terminal.stderr.write(`error: ${printable(lost.message)}\n`);
    this.#lost.push(lost);
  }

  #write(reporter: Reporter, text: string): void {
    if (reporter.file === undefined) this.#terminal.stdout.write(text);
    else {
      const texts = this.#texts.get(reporter) ?? [];
      this.#texts.set(reporter, texts);
      texts.push(text);
    }
  }
}
