/** Is it a promise? That is an error wherever it is asked here, so a rejection of it must not be one more. */
export function isPromise(value: unknown): boolean {
  if (!(value instanceof Promise)) return false;
  value.catch(() => undefined);
  return true;
}
