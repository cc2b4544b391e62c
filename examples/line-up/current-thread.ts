/** Who calls, for objects that keep something for each thread: 0, 1, 2 … */
import { activeMemory } from 'straightedge/explore';

export const currentThread = (): number => activeMemory().current;
