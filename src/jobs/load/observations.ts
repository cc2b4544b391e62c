/** Files of observations: what serial runs of a scenario have shown, to be kept and compared with another version. */
import { readFileSync, writeFileSync } from 'node:fs';
import { UsageError } from '../../config/usage-error.js';
import { ScenarioError } from '../../execution/scenario-error.js';
import type { Exploration } from '../../explore/explore.js';
import { type ObservationSet, parseObservations } from '../../explore/learning/read-observations.js';
import { observationsText } from '../../explore/learning/write-observations.js';

export function readObservations(file: string): ObservationSet[] {
  try {
    return parseObservations(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof ScenarioError) throw new ScenarioError(`${file}: ${error.message}`);
    throw error;
  }
}

export function writeObservations(file: string, { scenario, explored }: Exploration): void {
  if (scenario.spec !== undefined)
    throw new UsageError(
      'a scenario with a spec learns nothing from serial runs: there are no observations to write',
    );
  writeFileSync(file, observationsText(explored.flatMap(({ observations }) => observations ?? [])));
}
