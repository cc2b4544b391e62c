/** The number of random cases of a test, or the cases: `all` with `AGREE=all` (nightly), otherwise `some`. */
export const share = <T>(all: T, some: T): T => (process.env.AGREE === 'all' ? all : some);
