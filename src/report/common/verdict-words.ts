/** Words of verdicts, and numbers with their nouns. */
import { relative } from 'node:path';
import type { Witness } from '../../check/model/verdict.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { isSyncSpec } from '../../spec/rendezvous/sync-spec.js';

/** `1 204`: digits in groups of three. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ' ');

/** `1 operation`, `1 204 operations`. */
export const count = (value: number, one: string, many: string = `${one}s`): string =>
  `${grouped(value)} ${value === 1 ? one : many}`;

/** A path relative to the working folder. */

export const relativePath = (file: string): string => relative('.', file).replaceAll('\\', '/');

/** Do the calls of its object synchronise? */
export const hasRendezvous = ({ spec }: Pick<Scenario, 'spec'>): boolean =>
  spec !== undefined && isSyncSpec(spec);

export const explainedBy = ({ rendezvous }: Witness): string =>
  rendezvous === undefined ? 'linearizable' : 'synchronisation linearizable';

export const unexplainedBy = (isRendezvous: boolean): string =>
  isRendezvous ? 'not synchronisation linearizable' : 'not linearizable';

/** The verdict for readers who do not know the term. */
export const noneGives = (isRendezvous: boolean): string =>
  isRendezvous
    ? 'No rendezvous of these calls give these results.'
    : 'No sequential order of these calls gives these results.';

export const whyUnexplained = (isRendezvous: boolean): string =>
  isRendezvous ? 'Why no rendezvous explain it' : 'Why it is not linearizable';
