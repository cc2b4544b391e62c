/** A JSON document on one line, in pieces: the ids of ten million operations are longer than one string can be. */
const LONG = 100_000;

export function* jsonPieces(document: unknown): Generator<string> {
  yield* pieces(document);
  yield '\n';
}

function* pieces(value: unknown): Generator<string> {
  if (Array.isArray(value) && value.length > LONG) yield* longList(value);
  else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    let before = '{';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* pieces(field);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield text(value);
}

function* longList(items: readonly unknown[]): Generator<string> {
  for (let start = 0; start < items.length; start += LONG)
    yield (start === 0 ? '[' : ',') + text(items.slice(start, start + LONG)).slice(1, -1);
  yield ']';
}

/** The numbers of JSON need not be exact, so bigints are texts. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, own: unknown) => (typeof own === 'bigint' ? String(own) : own));
