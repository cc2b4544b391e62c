/** Operations to take away: as lines of our format, or as the drawing that `sketch` reads in a test. */
import { useState } from 'preact/hooks';
import { writeJsonLines } from '../src/formats/json-lines/writer.js';
import { ASCII, draw } from '../src/history/drawing/draw.js';
import type { Model } from './model.js';

interface Props {
  readonly model: Model;
  /** Operations, by id. */
  readonly ids: readonly number[];
  readonly what: string;
}

export function CopyButtons({ model, ids, what }: Props) {
  const [said, say] = useState('');
  const cut = () => {
    const wanted = new Set(ids);
    const { id } = model.history.columns;
    return model.history.select((k) => wanted.has(id[k]));
  };
  const copy = (name: string, text: () => string) => (
    <button
      type="button"
      title={`of ${what}`}
      onClick={() => {
        write(text()).then(
          () => say(`${name} copied`),
          () => say('this browser does not let a page copy'),
        );
      }}
    >
      Copy as {name}
    </button>
  );
  return (
    <>
      {copy('JSON lines', () => [...writeJsonLines(cut())].join(''))}
      {copy('drawing', () => `${draw(cut(), ASCII)}\n`)}
      <output class="faint">{said}</output>
    </>
  );
}

async function write(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // pages that were opened as files may not, but may still do it the old way
    const area = document.body.appendChild(document.createElement('textarea'));
    area.value = text;
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    if (!isDone) throw new Error('not allowed');
  }
}
