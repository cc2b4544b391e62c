/** The panel with all facts of the selected operation. */
import type { Model } from './model.js';

interface Props {
  readonly model: Model;
  readonly picked: number | undefined;
  readonly close: () => void;
}

export function Details({ model, picked, close }: Props) {
  const k = picked === undefined ? -1 : model.position(picked);
  return (
    <aside class={k < 0 ? 'details closed' : 'details'} aria-label="Operation" aria-live="polite">
      {k >= 0 && (
        <>
          <button type="button" class="close" onClick={close}>
            Close
          </button>
          <h2>{model.label(k).slice(0, 120)}</h2>
          <dl>
            {model.details(k).map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <bdi>{text}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </aside>
  );
}
