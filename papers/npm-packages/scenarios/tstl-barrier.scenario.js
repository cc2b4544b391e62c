import std from 'tstl';
import { barrierOf } from './kinds.js';

export default barrierOf(
  'Barrier',
  (parties) => new std.Barrier(parties),
  (barrier) => barrier.arrive_and_wait(),
);
