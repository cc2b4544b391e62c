/** Paths of what was noted: relative on their way, since the folder of a worker is another than the coordinator's. */
import type { Notes } from '../../explore/explore.js';

export function moved({ atomic, controlled }: Notes, move: (file: string) => string): Notes {
  const all = (list: Notes['atomic']) => list.map((called) => ({ ...called, file: move(called.file) }));
  return { atomic: all(atomic), controlled: all(controlled) };
}
