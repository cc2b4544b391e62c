import { type Scenario, scenario } from 'straightedge';
import { ManualResetEvent } from './manual-reset-event.js';
import { ManualResetEventPre } from './manual-reset-event-pre.js';

const of = (name: string, create: () => ManualResetEvent): Scenario =>
  scenario({
    name,
    create,
    backend: 'instrumented',
    calls: [['set'], ['wait'], ['reset'], ['isSet'], ['waitOne']],
  });

const event: Scenario = of('ManualResetEvent', () => new ManualResetEvent());
export const pre: Scenario = of('ManualResetEvent(Pre)', () => new ManualResetEventPre());
export default event;
