/** Buttons that copy operations as JSON lines, or as a drawing for `sketch`. */
import { useState } from 'preact/hooks';
import { writeJsonLines } from '../../src/formats/json-lines/writer.js';
import { ASCII } from '../../src/history/drawing/layout.js';
import { draw } from '../../src/history/drawing/sketch.js';
import type { Model } from './model.js';

interface Props {
  readonly model: Model;
  /** Operations, by id. */
  readonly ids: readonly number[];
  readonly what: string;
}

/** A button that copies a text. */
export function CopyText({ name, text }: { readonly name: string; readonly text: string }) {
  const [message, setMessage] = useState('');
  return (
    <>
      <button type="button" onClick={() => copied(name, text, setMessage)}>
        Copy {name}
      </button>
      <output class="faint">{message}</output>
    </>
  );
}

export function CopyButtons({ model, ids, what }: Props) {
  const [message, setMessage] = useState('');
  const cut = () => {
    const wanted = new Set(ids);
    const { id } = model.history.columns;
    return model.history.select((k) => wanted.has(id[k]));
  };
  const copy = (name: string, text: () => string) => (
    <button type="button" title={`of ${what}`} onClick={() => copied(name, text(), setMessage)}>
      Copy as {name}
    </button>
  );
  return (
    <>
      {copy('JSON lines', () => [...writeJsonLines(cut())].join(''))}
      {copy('drawing', () => `${draw(cut(), ASCII)}\n`)}
      <output class="faint">{message}</output>
    </>
  );
}

function copied(name: string, text: string, setMessage: (message: string) => void): void {
  write(text).then(
    () => setMessage(`${name} copied`),
    () => setMessage('the browser does not allow copying'),
  );
}

async function write(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // a page that was opened as a file has no clipboard API
    const area = document.body.appendChild(document.createElement('textarea'));
    area.value = text;
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    if (!isDone) throw new Error('not allowed');
  }
}
