/** `1 204`: digits in groups of three. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ' ');

/** `1 operation`, `1 204 operations`. */
export const count = (value: number, one: string, many: string = `${one}s`): string =>
  `${grouped(value)} ${value === 1 ? one : many}`;
