/** What verdicts are called: of calls that meet, meetings tell, and linearizability would say something else. */
import { relative } from 'node:path';
import type { Witness } from '../../check/model/verdict.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { isSyncSpec } from '../../spec/rendezvous/sync-spec.js';

/** `1 204`: digits in groups of three. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ' ');

/** `1 operation`, `1 204 operations`. */
export const count = (value: number, one: string, many: string = `${one}s`): string =>
  `${grouped(value)} ${value === 1 ? one : many}`;

/* A file as people and other programs find it from where we were started. */

export const relativePath = (file: string): string => relative('.', file).replaceAll('\\', '/');

/** Do the calls of its object meet? */
export const hasMeetings = ({ spec }: Pick<Scenario, 'spec'>): boolean =>
  spec !== undefined && isSyncSpec(spec);

export const explainedBy = ({ meetings }: Witness): string =>
  meetings === undefined ? 'linearizable' : 'meetings explain it';

export const unexplainedBy = (meets: boolean): string =>
  meets ? 'no meetings explain it' : 'not linearizable';

/** The same in words that need no glossary. */
export const noneGives = (meets: boolean): string =>
  meets
    ? 'No meetings of these calls give these results.'
    : 'No one-at-a-time order of these calls gives these results.';

export const whyUnexplained = (meets: boolean): string =>
  meets ? 'Why no meetings explain it' : 'Why no order explains it';
