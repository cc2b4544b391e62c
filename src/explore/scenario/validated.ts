/**
 * A scenario whose object is looked at when all threads have ended: `validate` becomes a last call, which has to
 * return nothing and throw nothing. So it is explored, shown and made small as any other call. An execution that is stuck
 * never comes to it.
 */
import { ScenarioError } from '../../execution/scenario-error.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import { type AnySpec, isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { Spec } from '../../spec/spec.js';

const VALIDATE = 'validate';

export type Validate = (object: never) => unknown;

/** What of a scenario it changes. */
interface Validated {
  readonly after: readonly PlainCall[];
  readonly methods: Readonly<Record<string, Validate>>;
  readonly spec: AnySpec | undefined;
}

/** `called`: the methods that threads call. */
export function validated<S extends Validated>(
  scenario: S,
  validate: Validate,
  called: readonly string[],
): S {
  if (called.includes(VALIDATE))
    throw new ScenarioError(
      'threads call a method `validate`, and the scenario has one; give it another name in `methods`',
    );
  const { after, methods, spec } = scenario;
  return {
    ...scenario,
    after: [...after, [VALIDATE]],
    methods: { ...methods, [VALIDATE]: validate },
    spec: spec && withValidate(spec),
  };
}

/** The spec, with a method that does nothing. Parts and monitors do not know it: such histories are searched. */
function withValidate(given: AnySpec): AnySpec {
  if (isSyncSpec(given))
    throw new ScenarioError('`validate` beside a spec of meetings; leave out one of them');
  const { part: _, family: __, ...spec } = given as Spec;
  return {
    ...spec,
    methods: { ...spec.methods, [VALIDATE]: (state: unknown) => [state, undefined] },
  } as Spec;
}
