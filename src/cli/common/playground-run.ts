/**
 * Explores a scenario of the playground, in a process of its own: user code may never return, take all memory or end its
 * process. One runs at a time; a new one replaces it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFile } from '../../base/package-file.js';

/** The names of the files, which reports mention. */
const SCENARIO = 'scenario.ts';
const REPORT = 'report.html';
/** Limits of the command, and milliseconds after which its process is ended. */
const LIMITS = ['--timeout', '8s', '--max-memory', '512mb', '--jobs', '1'];
const ANSWER_TIME = 20_000;
/** The data in the report. */
const DATA = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/;

/** What the page receives: the data of a report, or why there is none. */
export type Explored =
  | { readonly kind: 'checked'; readonly data: unknown }
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly line?: number | undefined;
      readonly column?: number | undefined;
    };

export class PlaygroundRun {
  #child: ChildProcess | undefined;

  /** Ends what runs. */
  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async explore(text: string): Promise<Explored> {
    this.end();
    const folder = mkdtempSync(join(tmpdir(), 'straightedge-play-'));
    try {
      writeFileSync(join(folder, SCENARIO), text);
      return await this.#run(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  async #run(cwd: string): Promise<Explored> {
    const main = join(dirname(packageFile('straightedge/package.json')), 'dist/cli/main.js');
    const args = [main, 'explore', SCENARIO, ...LIMITS, '--quiet', '--no-config', '--html', REPORT];
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    });
    this.#child = child;
    let said = '';
    child.stderr.on('data', (piece) => {
      said = `${said}${piece}`.slice(-10_000);
    });
    let isLate = false;
    const alarm = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, ANSWER_TIME);
    await once(child, 'close').finally(() => clearTimeout(alarm));
    if (this.#child === child) this.#child = undefined;
    else return { kind: 'refused', message: 'Replaced by a newer text.' };
    const report = join(cwd, REPORT);
    const [, data] = (existsSync(report) && DATA.exec(readFileSync(report, 'utf8'))) || [];
    if (data !== undefined) return { kind: 'checked', data: JSON.parse(data) as unknown };
    return isLate
      ? { kind: 'refused', message: `No answer within ${ANSWER_TIME / 1_000} s; the run was ended.` }
      : refused(said);
  }
}

/** The error that the command printed, and where it is. What user code printed comes first. */
function refused(said: string): Explored {
  const message =
    /^error: ([\s\S]*)/m.exec(said)?.[1].trim() ??
    'The time or memory limit was reached before there was a report. The code may have an endless loop.';
  const [, line, column] = new RegExp(`${SCENARIO}:(\\d+):(\\d+)`).exec(message) ?? [];
  return {
    kind: 'refused',
    message: message.replace(`cannot load ${SCENARIO}: `, '').replace(/ \S*scenario\.ts:\d+:\d+$/, ''),
    ...(line !== undefined && { line: Number(line), column: Number(column) }),
  };
}
