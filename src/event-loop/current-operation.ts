/** The operation whose code runs just now, through all its awaits; known while somebody watches. */
import { AsyncLocalStorage } from 'node:async_hooks';

const operations = new AsyncLocalStorage<number>();

export const currentOperation = (): number | undefined => operations.getStore();

export const inside = <T>(operation: number, run: () => T): T => operations.run(operation, run);

/** What stands for something outside is no operation's. */
export const outside = <T>(run: () => T): T => operations.exit(run);
