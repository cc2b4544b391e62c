/** How much goes into one task, and how long its worker may be silent. */

/** All becomes about so many tasks, of no more than so many pieces. */
const TASKS = 64;
const MOST_PIECES = 32;
/** A worker may be silent for this share of the time that there is, within limits. */
const SILENT = 0.1;
const SILENCE = { least: 1_000, most: 30_000 } as const;

/** Small pieces travel together, so that they are worth the way; of few, each travels alone. */
export const piecesInTask = (pieces: number): number => Math.min(MOST_PIECES, Math.ceil(pieces / TASKS));

/** In milliseconds, as what it is given. */
export const silenceIn = (milliseconds: number): number =>
  Math.min(SILENCE.most, Math.max(SILENCE.least, SILENT * milliseconds));
