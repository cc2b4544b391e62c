/** How many random cases a test tries: `all` with `AGREE=all`, at night, otherwise a share of them. */
export const share = (all: number, some: number): number => (process.env.AGREE === 'all' ? all : some);
