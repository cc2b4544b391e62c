/** What a run of the command line ends in. */
export const EXIT = { holds: 0, violation: 1, badInput: 2, undecided: 3, interrupted: 130 } as const;

const WORST_FIRST: readonly number[] = [
  EXIT.interrupted,
  EXIT.badInput,
  EXIT.violation,
  EXIT.undecided,
  EXIT.holds,
];

/** Of several files: bad input over violation over undecided over holds. */
export const worst = (codes: readonly number[]): number =>
  WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.holds;
