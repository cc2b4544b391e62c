/** The meetings of a spec, their names read: who takes part, and whether the last may be several. */
import { show } from '../../base/values/show.js';
import { SpecError } from '../spec-error.js';
import { type AnySpec, isSyncSpec, type SyncSpec } from './sync-spec.js';

/** One way to meet. */
export interface Mode {
  /** Its number among the modes. */
  readonly number: number;
  readonly name: string;
  /** The methods of those who are one each, in order. */
  readonly roles: readonly string[];
  /** The method of those who are several, after them. */
  readonly many: string | undefined;
}

export function modesOf(spec: SyncSpec): readonly Mode[] {
  const names = Object.keys(spec.meetings);
  if (names.length === 0) throw new SpecError(`spec ${spec.name} has no meetings`);
  return names.map((name, number) => {
    const methods = name.split('+');
    const last = methods[methods.length - 1];
    const many = last.endsWith('*') ? last.slice(0, -1) : undefined;
    const roles = many === undefined ? methods : methods.slice(0, -1);
    if ([...roles, many].some((method) => method === '' || method?.includes('*')))
      throw new SpecError(
        `spec ${spec.name}: ${show(name)} names no meeting; expected methods joined by +, the last one with * if there are several of it`,
      );
    if (many !== undefined && !spec.sizes)
      throw new SpecError(
        `spec ${spec.name}: ${name} needs sizes: (state, meeting) => how many calls of ${many} may meet`,
      );
    return { number, name, roles, many };
  });
}

/** The names of the methods of an object of either kind. */
export function methodNames(spec: AnySpec): string[] {
  if (!isSyncSpec(spec)) return Object.keys(spec.methods);
  return [...new Set(modesOf(spec).flatMap(({ roles, many }) => (many ? [...roles, many] : roles)))];
}
