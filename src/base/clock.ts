/**
 * The clock that time limits read.
 *
 * Nothing else in a result may depend on it. It is one object, so a test can replace it by a clock that runs faster or
 * slower and compare the reports.
 */
export const clock: { now: () => number } = { now: () => performance.now() };
