/** A queue of value numbers: all that came in, and how many of them have gone out. */
import { ADD, type Container, EMPTY, IDLE, OPEN_REMOVE, REMOVE } from '../container.js';

export function queueModel({ role, value, initial, values }: Container): (operation: number) => boolean {
  const queue = new Int32Array(values);
  for (let v = 0; v < initial; v++) queue[v] = v;
  let [first, end] = [0, initial];
  return (k) => {
    switch (role[k]) {
      case ADD:
        queue[end++] = value[k];
        return true;
      case EMPTY:
        return first === end;
      case OPEN_REMOVE:
        if (first < end) first++;
        return true;
      case IDLE:
        return true;
      default: {
        const isRight = first < end && queue[first] === value[k];
        if (role[k] === REMOVE) first++;
        return isRight;
      }
    }
  };
}
