import { type Scenario, scenario } from 'straightedge';
import { Barrier } from './barrier.js';

const barrier: Scenario = scenario({
  name: 'Barrier',
  backend: 'instrumented',
  create: () => new Barrier(2),
  calls: [
    ['signalAndWait'],
    ['participantsRemaining'],
    ['removeParticipant'],
    ['cancelToken'],
    ['currentPhaseNumber'],
    ['participantCount'],
    ['addParticipant'],
  ],
});
export default barrier;
