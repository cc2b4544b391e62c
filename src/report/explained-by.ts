/** What it is called that nothing is wrong: of calls that meet, meetings tell, and linearizability would allow more. */
import type { Witness } from '../check/index.js';

export const explainedBy = ({ meetings }: Witness): string =>
  meetings === undefined ? 'linearizable' : 'meetings explain it';
