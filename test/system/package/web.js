import { check, sketch } from 'straightedge';
import { queue } from 'straightedge/objects';

const { kind } = check(sketch`A |- enqueue(1) -|  |- dequeue() -> 2 -|`, queue());
document.title = `${kind}, ${typeof SharedArrayBuffer}`;
