/** The playground: what a user writes on the left, what straightedge says of it on the right, at every change. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '../page.css';
import './playground.css';
import { CLASSICS, type Classic } from './classics.js';
import { Histories } from './histories.js';

/** The classic that the address names, or the first. */
const chosenClassic = (): Classic => CLASSICS.find(({ id }) => `#${id}` === location.hash) ?? CLASSICS[0];

function Playground() {
  const [classic, choose] = useState(chosenClassic);
  useEffect(() => {
    const listen = () => choose(chosenClassic());
    addEventListener('hashchange', listen);
    return () => removeEventListener('hashchange', listen);
  }, []);
  return (
    <div class="playground">
      <nav class="bar" aria-label="Examples">
        <p class="brand">straightedge playground</p>
        <label>
          Example{' '}
          <select
            value={classic.id}
            onChange={(event) => {
              location.hash = event.currentTarget.value;
            }}
          >
            {CLASSICS.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </nav>
      <Histories key={classic.id} classic={classic} />
    </div>
  );
}

const root = document.getElementById('app') as HTMLElement;
root.textContent = '';
render(<Playground />, root);
