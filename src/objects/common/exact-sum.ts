/**
 * Sums that lose nothing, in the form in which histories hold them.
 *
 * Files are read into numbers as long as these are exact, and into bigints
 * beyond 2^53; sums do the same. But where the object starts as a bigint that a
 * file would have held as a number, the program counts in bigints, and so do
 * we. Fractions add as JavaScript adds them.
 */
export type Sum = (a: number | bigint, b: number | bigint) => number | bigint;

export function exactSum(initial: number | bigint): Sum {
  const onlyBigints = typeof initial === 'bigint' && Number.isSafeInteger(Number(initial));
  return (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') {
      const sum = a + b;
      if (Number.isSafeInteger(sum) || !Number.isInteger(a) || !Number.isInteger(b)) return sum;
    }
    const sum = whole(a) + whole(b);
    return Number.isSafeInteger(Number(sum)) && !onlyBigints ? Number(sum) : sum;
  };
}

function whole(value: number | bigint): bigint {
  if (typeof value === 'number' && !Number.isInteger(value))
    throw new TypeError(`${value} is a fraction, and can not be added to a bigint`);
  return BigInt(value);
}
