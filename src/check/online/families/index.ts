/** The fast monitor of a kind of object, found by `spec.family`. */
import type { CreateFamilyMonitor, FamilyMonitor } from '../family-monitor.js';
import type { Steps } from '../steps.js';

const KINDS: Readonly<Record<string, CreateFamilyMonitor>> = {};

/** `args`: those of the first call, for objects that are watched key by key. */
export function createFamilyMonitor(steps: Steps, args: readonly unknown[]): FamilyMonitor | undefined {
  const { family } = steps.spec;
  return family && Object.hasOwn(KINDS, family.kind) ? KINDS[family.kind](steps, args) : undefined;
}
