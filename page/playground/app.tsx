/** The playground: what a user writes on the left, what straightedge says of it on the right, at every change. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import '../page.css';
import './playground.css';
import { CLASSICS, type Classic, isHistory } from './classics.js';
import { Histories } from './histories.js';
import { Schedules } from './schedules.js';

/** Is there a server that can explore schedules? `straightedge play` replaces the data of the page. */
const isServed = document.getElementById('data')?.textContent === '{}';
const GROUPS = [
  { title: 'Histories', classics: CLASSICS.filter(isHistory) },
  { title: 'Schedules', classics: isServed ? CLASSICS.filter((one) => !isHistory(one)) : [] },
].filter(({ classics }) => classics.length > 0);

/** The classic that the address names, or the first. */
function chosenClassic(): Classic {
  const all = GROUPS.flatMap(({ classics }): readonly Classic[] => classics);
  return all.find(({ id }) => `#${id}` === location.hash) ?? all[0];
}

function Playground() {
  const [classic, choose] = useState(chosenClassic);
  useEffect(() => {
    const listen = () => choose(chosenClassic());
    addEventListener('hashchange', listen);
    return () => removeEventListener('hashchange', listen);
  }, []);
  return (
    <div class="playground">
      <nav class="topbar" aria-label="Examples">
        <p class="brand">straightedge playground</p>
        <label>
          Example{' '}
          <select
            value={classic.id}
            onChange={(event) => {
              location.hash = event.currentTarget.value;
            }}
          >
            {GROUPS.map((group) => (
              <optgroup key={group.title} label={group.title}>
                {group.classics.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        {!isServed && (
          <p class="faint">
            To explore schedules of your own code: <code>npx straightedge play</code>
          </p>
        )}
      </nav>
      {isHistory(classic) ? (
        <Histories key={classic.id} classic={classic} />
      ) : (
        <Schedules key={classic.id} classic={classic} />
      )}
    </div>
  );
}

const root = document.getElementById('app') as HTMLElement;
root.textContent = '';
render(<Playground />, root);
