/** A queue of value numbers: all that came in, and how many of them have gone out. Values that were one are one. */
import { ADD, BARRED, type Container, EMPTY, IDLE, OPEN_REMOVE, REMOVE } from '../container/container.js';
import { namesOf } from '../container/original-names.js';

export function queueModel(
  container: Container,
  plain?: (value: unknown) => unknown,
): (operation: number) => boolean {
  const { role, value, initial, values } = container;
  const nameOf = namesOf(container, plain);
  const queue = new Int32Array(values);
  for (let v = 0; v < initial; v++) queue[v] = nameOf[v];
  let [first, end] = [0, initial];
  return (k) => {
    switch (role[k]) {
      case ADD:
        queue[end++] = nameOf[value[k]];
        return true;
      case EMPTY:
        return first === end;
      case OPEN_REMOVE:
        if (first < end) first++;
        return true;
      case IDLE:
        return true;
      case BARRED:
        return false;
      default: {
        const isRight = first < end && queue[first] === nameOf[value[k]];
        if (role[k] === REMOVE) first++;
        return isRight;
      }
    }
  };
}
