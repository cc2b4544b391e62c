import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../history/model/operation.js';
import { counter } from '../../objects/cells/counter.js';
import { casRegister } from '../../objects/cells/register.js';
import { stack } from '../../objects/collections/container.js';
import type { Spec } from '../../spec/spec.js';
import { Configurations } from './configurations.js';
import { OnlineOperation, Steps, Values } from './steps.js';

function configurationsOf(spec: unknown): {
  configurations: Configurations;
  call: (method: string, ...args: unknown[]) => OnlineOperation;
  end: (operation: OnlineOperation, outcome: Outcome) => readonly Outcome[] | undefined;
} {
  const steps = new Steps(spec as Spec, new Values(false));
  const configurations = new Configurations(steps, steps.initial, { configurations: 1e6, bytes: 1e9 });
  return {
    configurations,
    call: (method, ...args) => {
      const operation = new OnlineOperation(undefined, 'A', method, args, 0, undefined);
      configurations.call(operation);
      return operation;
    },
    end: (operation, outcome) => {
      operation.outcome = outcome;
      return configurations.end(operation)?.allowed;
    },
  };
}
const returned = (value?: unknown): Outcome => ({ kind: 'returned', value });
const PENDING: Outcome = { kind: 'pending' };

test('sequential operations have one configuration, which is the initial one when their effects are undone', () => {
  const { configurations, call, end } = configurationsOf(stack());
  end(call('push', 1), returned());
  expect([configurations.size, configurations.isInitial]).toEqual([1, false]);
  end(call('pop'), returned(1));
  expect([configurations.size, configurations.isInitial]).toEqual([1, true]);
});

test('open operations take effect only when one of them returns', () => {
  const { configurations, call, end } = configurationsOf(stack());
  const pushes = [1, 2, 3].map((value) => call('push', value));
  expect(configurations.size).toBe(1);
  end(pushes[0], returned());
  // before it: none of the others, one of them, or both in either order; effects after it are postponed
  expect(configurations.size).toBe(1 + 2 + 2);
});

test('read-only outcomes add no configurations', () => {
  const { configurations, call, end } = configurationsOf(casRegister({ initial: 0 }));
  const reads = Array.from({ length: 10 }, () => call('read'));
  end(call('write', 1), returned());
  expect(configurations.size).toBe(1);
  for (const [i, read] of reads.entries()) expect(end(read, returned(i % 2))).toBeUndefined();
  expect(end(call('read'), returned(0))).toEqual([returned(1)]);
});

describe('calls of unknown outcome', () => {
  test('do not multiply configurations: equal calls are used in sequence, and the fewest are kept', () => {
    const { configurations, call, end } = configurationsOf(counter());
    for (let i = 0; i < 40; i++) end(call('decrement'), PENDING);
    expect(end(call('read'), returned(-40))).toBeUndefined();
    expect(configurations.size).toBe(1);
    expect(end(call('read'), returned(-39))).toEqual([returned(-40)]);
  });
  test('may have taken effect, or take effect later, or never', () => {
    const { configurations, call, end } = configurationsOf(casRegister({ initial: 0 }));
    end(call('cas', 0, 1), PENDING);
    end(call('read'), returned(0));
    end(call('read'), returned(1));
    expect(end(call('read'), returned(0))).toEqual([returned(1)]);
    expect(configurations.isInitial).toBe(false);
  });
});

test('configurations stay valid when states are renumbered', () => {
  const { configurations, call, end } = configurationsOf(stack());
  const open = call('push', 1);
  end(call('push', 2), returned());
  const numbers = new Map([...configurations.states()].map((state) => [state, state]));
  configurations.renumber(numbers);
  end(open, returned());
  expect(end(call('pop'), returned(3))).toEqual(expect.arrayContaining([returned(1), returned(2)]));
});
