/** Which role a method plays in its family. */
import type { Steps } from './steps.js';

export type RoleOf = (method: string) => string | undefined;

const known = new WeakMap<object, ReadonlyMap<string, string>>();

export function rolesOf({ spec: { family } }: Steps): RoleOf {
  if (!family) return () => undefined;
  let roles = known.get(family);
  if (!roles) {
    roles = new Map(Object.entries(family.roles).map(([role, method]) => [method, role]));
    known.set(family, roles);
  }
  const found = roles;
  return (method) => found.get(method);
}
