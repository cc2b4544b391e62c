/**
 * Brute-force oracle for atomic blocks: an interpreter of small classes that shares no code with the explorer.
 *
 * A method is a list of statements, one per line. Each statement is one or more steps. Every schedule is run, on plain data. The rules of
 * atomic blocks are written down once more:
 *
 *   - From its first step inside a block until its next step is outside, a thread runs alone.
 *   - If it would wait for a lock inside, it cannot start the block yet: it is not enabled.
 *   - If it would wait for another call inside, the run ends there: no thread takes another step.
 */
import type { ProgramResult, SequentialHistory } from './brute-force.js';

export type Statement =
  | {
      readonly kind: 'read' | 'write' | 'increment' | 'clear' | 'spin' | 'spin while set' | 'await';
      readonly field: string;
    }
  | { readonly kind: 'lock' | 'unlock'; readonly lock: string }
  | { readonly kind: 'enter' | 'exit' | 'notify' | 'return' };

export type Methods = Readonly<Record<string, readonly Statement[]>>;

/** Statements of a method, from 0, both included. */
export interface StatementBlock {
  readonly method: string;
  readonly from: number;
  readonly to: number;
}

const MONITOR = 'monitor';

/** The class as source, and the line of the first statement of each method. */
export function sourceOf(methods: Methods): {
  readonly source: string;
  readonly lineOf: ReadonlyMap<string, number>;
} {
  const lines = [
    'export class Subject {',
    'x = 0',
    'y = 0',
    'm = new Mutex()',
    'n = new Mutex()',
    'monitor = new Monitor()',
    // a field that no method writes would be constant
    'reset() { this.x = 0; this.y = 0 }',
  ];
  const lineOf = new Map<string, number>();
  for (const [method, statements] of Object.entries(methods)) {
    lines.push(`${method}() {`, 'let r = 0');
    lineOf.set(method, lines.length + 1);
    lines.push(...statements.map(textOf), '}');
  }
  lines.push('}', 'export const make = () => new Subject()');
  return { source: lines.join('\n'), lineOf };
}

function textOf(statement: Statement): string {
  switch (statement.kind) {
    case 'read':
      return `r = this.${statement.field}`;
    case 'write':
      return `this.${statement.field} = r + 1`;
    case 'increment':
      return `this.${statement.field} = this.${statement.field} + 1`;
    case 'clear':
      return `this.${statement.field} = 0`;
    case 'spin while set':
      return `while (this.${statement.field} !== 0) {}`;
    case 'spin':
      return `while (this.${statement.field} === 0) {}`;
    case 'await':
      return `while (this.${statement.field} === 0) this.monitor.wait()`;
    case 'lock':
    case 'unlock':
      return `this.${statement.lock}.${statement.kind}()`;
    case 'enter':
    case 'exit':
      return `this.monitor.${statement.kind}()`;
    case 'notify':
      return 'this.monitor.notifyAll()';
    case 'return':
      return 'return r';
  }
}

interface Thread {
  /** The number of its current operation, from 0. */
  readonly operation: number;
  readonly statement: number;
  /** Of a statement with several steps. */
  readonly part: number;
  readonly local: number;
  readonly isInside: boolean;
  readonly isAsleep: boolean;
}

interface State {
  readonly fields: Readonly<Record<string, number>>;
  /** Lock to its owner. */
  readonly owners: Readonly<Record<string, number>>;
  readonly threads: readonly Thread[];
}

const FRESH: Omit<Thread, 'operation'> = {
  statement: 0,
  part: 0,
  local: 0,
  isInside: false,
  isAsleep: false,
};

interface Run {
  readonly state: State;
  readonly outcomes: readonly string[];
  readonly after: readonly number[];
  readonly returned: number;
}

export class AtomicBlockInterpreter {
  readonly #methods: Methods;
  readonly #calls: readonly (readonly string[])[];
  readonly #blocks: readonly StatementBlock[];
  /** Thread to the number of its first call. */
  readonly #first: readonly number[];

  constructor(methods: Methods, calls: readonly (readonly string[])[], blocks: readonly StatementBlock[]) {
    this.#methods = methods;
    this.#calls = calls;
    this.#blocks = blocks;
    this.#first = calls.map((_, thread) => calls.slice(0, thread).flat().length);
  }

  /** The results of all schedules, each once. */
  results(): ProgramResult[] {
    const results = new Map<string, ProgramResult>();
    const seen = new Set<string>();
    const visit = (run: Run): void => {
      const key = JSON.stringify(run);
      if (seen.has(key)) return;
      seen.add(key);
      let isOver = true;
      for (const thread of this.#calls.keys()) {
        const { next, isDeadlock } = this.#runBlock(run, thread);
        if (next === undefined) continue;
        isOver = false;
        if (isDeadlock) this.#add(results, next);
        else visit(next);
      }
      if (isOver) this.#add(results, run);
    };
    visit(this.#initial());
    return [...results.values()];
  }

  /** All sequential histories; the last call may be blocked. */
  sequential(): SequentialHistory[] {
    const histories: SequentialHistory[] = [];
    const visit = (run: Run, history: SequentialHistory): void => {
      let hasNext = false;
      for (const [thread, calls] of this.#calls.entries()) {
        const at = run.state.threads[thread].operation;
        if (at === calls.length) continue;
        hasNext = true;
        let next: Run | undefined = run;
        while (next !== undefined && next.state.threads[thread].operation === at)
          next = this.#isEnabled(next.state, thread) ? this.#step(next, thread) : undefined;
        const k = this.#first[thread] + at;
        if (next === undefined) histories.push([...history, [k, '']]);
        else visit(next, [...history, [k, next.outcomes[k]]]);
      }
      if (!hasNext) histories.push(history);
    };
    visit(this.#initial(), []);
    return histories;
  }

  #initial(): Run {
    const count = this.#calls.flat().length;
    return {
      state: {
        fields: { x: 0, y: 0 },
        owners: {},
        threads: this.#calls.map(() => ({ operation: 0, ...FRESH })),
      },
      outcomes: Array.from({ length: count }, () => ''),
      after: Array.from({ length: count }, () => 0),
      returned: 0,
    };
  }

  #add(results: Map<string, ProgramResult>, { state, outcomes, after, returned }: Run): void {
    let pending = 0;
    for (const [thread, calls] of this.#calls.entries())
      if (state.threads[thread].operation < calls.length)
        pending |= 1 << (this.#first[thread] + state.threads[thread].operation);
    const result = { outcomes, pending, after: after.map((set, k) => (returned & (1 << k) ? set : 0)) };
    results.set(JSON.stringify(result), result);
  }

  /** A step of a thread, with the rest of the block that it starts. No `next` if the thread is not enabled. */
  #runBlock(run: Run, thread: number): { readonly next: Run | undefined; readonly isDeadlock: boolean } {
    if (!this.#isEnabled(run.state, thread)) return { next: undefined, isDeadlock: false };
    let block = this.#blockOf(run.state, thread);
    let next = this.#step(run, thread);
    const { operation } = run.state.threads[thread];
    while (
      block >= 0 &&
      next.state.threads[thread].operation === operation &&
      this.#blockOf(next.state, thread) === block
    ) {
      if (!this.#isEnabled(next.state, thread))
        return this.#waitsForCall(next.state, thread)
          ? { next, isDeadlock: true }
          : { next: undefined, isDeadlock: false };
      block = this.#blockOf(next.state, thread);
      next = this.#step(next, thread);
    }
    return { next, isDeadlock: false };
  }

  #statementOf(
    { threads }: State,
    thread: number,
  ): { readonly method: string; readonly statement: Statement } {
    const method = this.#calls[thread][threads[thread].operation];
    return { method, statement: this.#methods[method][threads[thread].statement] };
  }

  #blockOf(state: State, thread: number): number {
    const own = state.threads[thread];
    if (own.operation === this.#calls[thread].length) return -1;
    const { method } = this.#statementOf(state, thread);
    return this.#blocks.findIndex(
      (block) => block.method === method && block.from <= own.statement && own.statement <= block.to,
    );
  }

  #isEnabled(state: State, thread: number): boolean {
    const own = state.threads[thread];
    if (own.operation === this.#calls[thread].length) return false;
    const { statement } = this.#statementOf(state, thread);
    switch (statement.kind) {
      case 'lock':
        return state.owners[statement.lock] === undefined;
      case 'enter':
        return state.owners[MONITOR] === undefined;
      case 'spin':
        return own.part === 0 || state.fields[statement.field] !== 0;
      case 'spin while set':
        return own.part === 0 || state.fields[statement.field] === 0;
      case 'await':
        return own.part !== 2 || (!own.isAsleep && state.owners[MONITOR] === undefined);
      default:
        return true;
    }
  }

  /** A wait in a monitor is for another call. A thread that spins waits for another call if no other one is inside a call. */
  #waitsForCall(state: State, thread: number): boolean {
    const { statement } = this.#statementOf(state, thread);
    if (statement.kind === 'await') return state.threads[thread].isAsleep;
    const isSpinning = statement.kind === 'spin' || statement.kind === 'spin while set';
    return isSpinning && state.threads.every(({ isInside }, other) => !isInside || other === thread);
  }

  #step(run: Run, thread: number): Run {
    const { state } = run;
    const own = state.threads[thread];
    const { method, statement } = this.#statementOf(state, thread);
    const k = this.#first[thread] + own.operation;
    const after = own.isInside ? run.after : run.after.with(k, run.returned);
    const fields = { ...state.fields };
    const owners = { ...state.owners };
    const threads = state.threads.map((other) => ({ ...other }));
    let { local } = own;
    let part = -1;
    switch (statement.kind) {
      case 'read':
        local = fields[statement.field];
        break;
      case 'write':
        fields[statement.field] = local + 1;
        break;
      case 'increment':
        if (own.part === 0) {
          // the value that was read is kept above the local variable
          local += 1_000 * fields[statement.field];
          part = 1;
        } else {
          fields[statement.field] = Math.floor(local / 1_000) + 1;
          local %= 1_000;
        }
        break;
      case 'spin':
        if (fields[statement.field] === 0) part = 1;
        break;
      case 'spin while set':
        if (fields[statement.field] !== 0) part = 1;
        break;
      case 'clear':
        fields[statement.field] = 0;
        break;
      case 'await':
        if (own.part === 0 && fields[statement.field] === 0) part = 1;
        if (own.part === 1) {
          delete owners[MONITOR];
          threads[thread].isAsleep = true;
          part = 2;
        }
        if (own.part === 2) {
          owners[MONITOR] = thread;
          part = 0;
        }
        break;
      case 'lock':
        owners[statement.lock] = thread;
        break;
      case 'unlock':
        delete owners[statement.lock];
        break;
      case 'enter':
        owners[MONITOR] = thread;
        break;
      case 'exit':
        delete owners[MONITOR];
        break;
      case 'notify':
        for (const other of threads) other.isAsleep = false;
        break;
      case 'return':
    }
    const isPart = part >= 0;
    const now = {
      ...threads[thread],
      statement: isPart ? own.statement : own.statement + 1,
      part: isPart ? part : 0,
      local,
      isInside: true,
    };
    const moved = { state: { fields, owners, threads: threads.with(thread, now) }, after };
    // a return is local: it belongs to the step before it
    const rest = this.#methods[method].slice(now.statement);
    if (isPart || !rest.every(({ kind }) => kind === 'return')) return { ...run, ...moved };
    const ended = { operation: own.operation + 1, ...FRESH };
    const outcome = rest.length > 0 ? { kind: 'returned', value: local } : { kind: 'returned' };
    return {
      state: { ...moved.state, threads: threads.with(thread, ended) },
      after,
      outcomes: run.outcomes.with(k, JSON.stringify(outcome)),
      returned: run.returned | (1 << k),
    };
  }
}
