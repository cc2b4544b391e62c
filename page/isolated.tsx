/** Text whose quoted values are written each by itself: one from right to left does not turn what stands beside it. */
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const QUOTED = /("(?:[^"\\]|\\.)*")/;

export function Isolated({ text }: { text: string }) {
  if (!FROM_THE_RIGHT.test(text)) return <>{text}</>;
  return <>{text.split(QUOTED).map((piece, i) => (i % 2 === 0 ? piece : <bdi key={i}>{piece}</bdi>))}</>;
}
