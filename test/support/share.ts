/** The number of random cases of a test: `all` with `AGREE=all` (nightly), otherwise `some`. */
export const share = (all: number, some: number): number => (process.env.AGREE === 'all' ? all : some);
