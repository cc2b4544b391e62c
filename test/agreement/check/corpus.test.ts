/** Checks of every history in corpus/: the verdict is the one in its path, and its evidence is verified. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { abc } from '../../../papers/synchronisation/specs/abc.js';
import { parseHistory } from '../../../src/formats/read-history.js';
import { objects, syncObjects } from '../../../src/objects/registry.js';
import type { SyncSpec } from '../../../src/spec/rendezvous/sync-spec.js';
import { expectLinearizable, expectViolation } from '../../support/oracles/evidence.js';
import { expectNoRendezvous, expectRendezvous } from '../../support/oracles/rendezvous-evidence.js';

const CORPUS = fileURLToPath(new URL('../../../corpus', import.meta.url));
const files = readdirSync(CORPUS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.jsonl'))
  .sort();

/** The ready-made rendezvous objects, and ABC from the paper. */
const rendezvousObjects: typeof syncObjects = { ...syncObjects, abc: () => abc() as SyncSpec };

test.each(files)('%s', (file) => {
  const [object, verdict] = file.split('/');
  const history = parseHistory(readFileSync(join(CORPUS, file)));
  if (Object.hasOwn(rendezvousObjects, object)) {
    const spec = rendezvousObjects[object]({});
    if (verdict === 'linearizable') expectRendezvous(history, spec);
    else expectNoRendezvous(history, spec, verdict === 'progress' ? 'progress' : 'safety');
    return;
  }
  const spec = objects[object]({});
  if (verdict === 'linearizable') expectLinearizable(history, spec);
  else {
    expect(verdict).toBe('violation');
    expectViolation(history, spec);
  }
});
