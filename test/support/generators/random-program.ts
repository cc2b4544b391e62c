/**
 * Generates small random programs for the exploration engines, as lists of instructions.
 *
 * Each program has two forms. In the normal form, spin loops are loops. In the *plain* form, which only brute force
 * uses, a spin loop is one step that is enabled when the loop would end. So the oracle needs no notion of spinning.
 */

import type { Random } from '../../../src/base/random.js';
import { access, CHOOSE, LOCK, NOTHING } from '../../../src/execution/memory/access.js';
import { activeMemory, type Memory } from '../../../src/execution/memory/memory.js';
import { AtomicRef } from '../../../src/execution/primitives/atomic-ref.js';
import { Monitor, Mutex, Semaphore } from '../../../src/execution/primitives/locks.js';
import type { Call, Coroutine, Program } from '../../../src/execution/program.js';
import { symmetricThreads } from '../../../src/instrument/instrumented-program.js';

type Instruction =
  | readonly ['read', number]
  | readonly ['write', number, number]
  | readonly ['compareAndSet', number, number, number]
  | readonly ['add', number, number]
  /** add, in a loop of read and compare-and-set */
  | readonly ['retry', number, number]
  /** until the variable is not 0; until one of all is not 0; until it is 0, and then it is made 1 */
  | readonly ['spin', number]
  | readonly ['spinAny']
  | readonly ['grab', number]
  | readonly ['critical', number, number]
  | readonly ['leak', number]
  /** only the owner can; not in random programs */
  | readonly ['unlock', number]
  | readonly ['tryLock', number, number]
  | readonly ['await', number]
  | readonly ['signal', number, 'notify' | 'notifyAll']
  | readonly ['acquire', number]
  | readonly ['tryAcquire']
  | readonly ['release', number]
  | readonly ['choose', number]
  | readonly ['pause'];

type Body = readonly Instruction[];

/** A program as data: the instructions of each call of each thread. */
export interface Sketch {
  readonly variables: number;
  readonly permits: number;
  readonly threads: readonly (readonly Body[])[];
  readonly before: readonly Body[];
  readonly after: readonly Body[];
}

/** A variable. In the plain form it also keeps permits: while it is not 0, while it is 0, and while any variable is not 0. */
class Variable {
  readonly ref: AtomicRef<number> = new AtomicRef(0);
  readonly #all: readonly Variable[];
  readonly #isPlain: boolean;
  readonly #memory: Memory = activeMemory();
  readonly whileSet: number = this.#memory.location(this.#memory.object());
  readonly whileClear: number = this.#memory.location(this.#memory.object());
  readonly whileAny: number = this.#memory.location(this.#memory.object());

  constructor(all: readonly Variable[], isPlain: boolean) {
    this.#all = all;
    this.#isPlain = isPlain;
  }

  set(value: number): void {
    this.ref.set(value);
    this.permit();
  }

  compareAndSet(old: number, value: number): boolean {
    const isDone = this.ref.compareAndSet(old, value);
    this.permit();
    return isDone;
  }

  permit(): void {
    if (!this.#isPlain) return;
    const value = this.ref.get();
    this.#open(this.whileSet, value !== 0);
    this.#open(this.whileClear, value === 0);
    const isAny = this.#all.some(({ ref }) => ref.get() !== 0);
    for (const { whileAny } of this.#all) this.#open(whileAny, isAny);
  }

  #open(location: number, isOpen: boolean): void {
    this.#memory.give(location, (isOpen ? 1 : 0) - this.#memory.permits(location));
  }

  contents$(visit: (value: unknown) => void): void {
    visit(this.ref);
  }
}

export interface World {
  readonly variables: readonly Variable[];
  readonly mutexes: readonly Mutex[];
  readonly monitor: Monitor;
  readonly semaphore: Semaphore;
}

/** The values of all variables, and which locks are held. */
export function worldText({ variables, mutexes, monitor }: World): string {
  const values: unknown[] = [];
  for (const { ref } of variables) ref.contents$((value) => values.push(value));
  return [...values, ...mutexes.map(({ owner }) => owner >= 0), monitor.owner >= 0].join(' ');
}

export function programOf(sketch: Sketch, isPlain: boolean): Program<World> {
  const callOf = (body: Body): Call<World> => ({
    method: JSON.stringify(body),
    args: [],
    run: (world, memory) =>
      isPlain ? apart(runBody(body, world, memory, true)) : runBody(body, world, memory, false),
  });
  return {
    create: () => {
      const variables: Variable[] = [];
      while (variables.length < sketch.variables) variables.push(new Variable(variables, isPlain));
      for (const variable of variables) variable.permit();
      return {
        variables,
        mutexes: [new Mutex(), new Mutex()],
        monitor: new Monitor(),
        semaphore: new Semaphore(sketch.permits),
      };
    },
    threads: sketch.threads.map((bodies) => bodies.map(callOf)),
    symmetricThreads: symmetricThreads(
      sketch.threads.map((bodies) => bodies.map((body) => [JSON.stringify(body)])),
    ),
    hasNamedCalls: true,
    before: sketch.before.map(callOf),
    after: sketch.after.map(callOf),
  };
}

/** Makes call and return separate steps. */
function* apart(body: Coroutine): Coroutine {
  yield access(NOTHING, 0);
  const result = yield* body;
  yield access(NOTHING, 0);
  return result;
}

function* runBody(body: Body, world: World, memory: Memory, isPlain: boolean): Coroutine<string> {
  let out = '';
  for (let site = 0; site < body.length; site++)
    out += yield* runInstruction(body[site], world, memory, isPlain, site, out);
  return out;
}

function* runInstruction(
  instruction: Instruction,
  { variables, mutexes, monitor, semaphore }: World,
  memory: Memory,
  isPlain: boolean,
  site: number,
  out: string,
): Coroutine<string | number> {
  switch (instruction[0]) {
    case 'read': {
      const { ref } = variables[instruction[1]];
      yield ref.read;
      return ref.get();
    }
    case 'write': {
      const variable = variables[instruction[1]];
      yield variable.ref.write;
      variable.set(instruction[2] && instruction[2] + out.length);
      return '';
    }
    case 'compareAndSet': {
      const variable = variables[instruction[1]];
      yield variable.ref.update;
      return variable.compareAndSet(instruction[2], instruction[3]) ? 'T' : 'F';
    }
    case 'add': {
      const variable = variables[instruction[1]];
      yield variable.ref.update;
      const old = variable.ref.get();
      variable.set(old + instruction[2]);
      return old;
    }
    case 'retry': {
      const variable = variables[instruction[1]];
      const mark = memory.mark();
      for (;;) {
        yield variable.ref.read;
        const old = variable.ref.get();
        yield variable.ref.update;
        if (variable.compareAndSet(old, old + instruction[2])) return old;
        if (!isPlain) memory.again(mark, site);
      }
    }
    case 'spin': {
      const variable = variables[instruction[1]];
      if (isPlain) {
        yield access(LOCK, variable.whileSet);
        return variable.ref.get();
      }
      const mark = memory.mark();
      for (;;) {
        yield variable.ref.read;
        const value = variable.ref.get();
        if (value !== 0) return value;
        if (!isPlain) memory.again(mark, site);
      }
    }
    case 'spinAny': {
      if (isPlain) {
        yield access(LOCK, variables[0].whileAny);
        return 'S';
      }
      const mark = memory.mark();
      for (;;) {
        for (const { ref } of variables) {
          yield ref.read;
          if (ref.get() !== 0) return 'S';
        }
        if (!isPlain) memory.again(mark, site);
      }
    }
    case 'grab': {
      const variable = variables[instruction[1]];
      if (isPlain) {
        yield access(LOCK, variable.whileClear);
        variable.set(1);
        return 'G';
      }
      const mark = memory.mark();
      for (;;) {
        yield variable.ref.update;
        if (variable.compareAndSet(0, 1)) return 'G';
        if (!isPlain) memory.again(mark, site);
      }
    }
    case 'critical': {
      const variable = variables[instruction[2]];
      yield* mutexes[instruction[1]].$lock();
      yield variable.ref.update;
      const old = variable.ref.get();
      variable.set(old + 1);
      yield* mutexes[instruction[1]].$unlock();
      return old;
    }
    case 'leak':
      yield* mutexes[instruction[1]].$lock();
      return 'L';
    case 'unlock':
      try {
        yield* mutexes[instruction[1]].$unlock();
        return 'U';
      } catch {
        return 'NN';
      }
    case 'tryLock': {
      const mutex = mutexes[instruction[1]];
      if (!(yield* mutex.$tryLock())) return 'F';
      const { ref } = variables[instruction[2]];
      yield ref.read;
      const value = ref.get();
      yield* mutex.$unlock();
      return value;
    }
    case 'await': {
      const { ref } = variables[instruction[1]];
      yield* monitor.$enter();
      const mark = memory.mark();
      for (;;) {
        yield ref.read;
        const value = ref.get();
        if (value !== 0) {
          yield* monitor.$exit();
          return value;
        }
        yield* monitor.$wait();
        if (!isPlain) memory.again(mark, site);
      }
    }
    case 'signal': {
      const variable = variables[instruction[1]];
      yield* monitor.$enter();
      yield variable.ref.write;
      variable.set(1 + out.length);
      yield* instruction[2] === 'notify' ? monitor.$notify() : monitor.$notifyAll();
      yield* monitor.$exit();
      return '';
    }
    case 'acquire':
      yield* semaphore.$acquire(instruction[1]);
      return 'A';
    case 'tryAcquire':
      return (yield* semaphore.$tryAcquire()) ? 'T' : 'F';
    case 'release':
      yield* semaphore.$release(instruction[1]);
      return '';
    case 'choose':
      return `c${yield access(CHOOSE, instruction[1])}`;
    case 'pause':
      yield access(NOTHING, 0);
      return '';
  }
}

/** Groups of instructions; a random program mostly uses one group. */
const THEMES: readonly (readonly Instruction[0][])[] = [
  ['read', 'write'],
  ['read', 'write', 'compareAndSet', 'add'],
  ['read', 'write', 'compareAndSet', 'retry'],
  ['read', 'write', 'critical', 'leak', 'tryLock'],
  ['critical', 'leak', 'read', 'compareAndSet'],
  ['read', 'write', 'spin', 'spinAny', 'grab'],
  ['await', 'signal', 'await', 'signal', 'read', 'write'],
  ['acquire', 'release', 'tryAcquire', 'acquire', 'read', 'write'],
  ['choose', 'read', 'write', 'pause', 'critical'],
  ['await', 'signal', 'leak', 'grab', 'write', 'acquire', 'release', 'choose', 'spin'],
];

/** The approximate number of steps of an instruction. */
const LENGTH: Partial<Record<Instruction[0], number>> = {
  retry: 2,
  spin: 2,
  spinAny: 2,
  critical: 3,
  tryLock: 3,
  await: 4,
  signal: 4,
};

export function randomSketch(random: Random): Sketch {
  const theme = random.pick(THEMES);
  const variables = 1 + random.below(2);
  const threads = 2 + random.below(2);
  let left = threads === 2 ? 7 : 5;
  const body = (): Body => {
    const instructions: Instruction[] = [];
    for (let rest = random.withProbability(10) ? 0 : 1 + random.below(3); rest > 0 && left > 0; rest--) {
      const instruction = randomInstruction(random.pick(theme), variables, random);
      left -= LENGTH[instruction[0]] ?? 1;
      instructions.push(instruction);
    }
    return instructions;
  };
  return {
    variables,
    permits: random.below(3),
    threads: Array.from({ length: threads }, () =>
      random.withProbability(35) ? [body(), body()] : [body()],
    ),
    before: random.withProbability(10) ? [body()] : [],
    after: random.withProbability(10) ? [body()] : [],
  };
}

function randomInstruction(name: Instruction[0], variables: number, random: Random): Instruction {
  const variable = random.below(variables);
  switch (name) {
    case 'read':
    case 'spin':
    case 'grab':
    case 'await':
      return [name, variable];
    case 'write':
      return [name, variable, random.below(3)];
    case 'compareAndSet':
      return [name, variable, random.below(3), random.below(3)];
    case 'add':
    case 'retry':
      return [name, variable, 1 + random.below(2)];
    case 'critical':
    case 'tryLock':
      return [name, random.below(2), variable];
    case 'leak':
    case 'unlock':
      return [name, random.below(2)];
    case 'signal':
      return [name, variable, random.pick(['notify', 'notifyAll'])];
    case 'acquire':
    case 'release':
      return [name, 1 + random.below(2)];
    case 'choose':
      return [name, 2];
    case 'spinAny':
    case 'tryAcquire':
    case 'pause':
      return [name];
  }
}
