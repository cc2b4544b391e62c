/**
 * Strongly connected components of a directed graph, in linear time.
 *
 *   R. Tarjan. Depth-first search and linear graph algorithms. SIAM Journal on Computing 1(2), 1972.
 */
const NONE = -1;

interface Components {
  /** Vertex to the number of its component. A component has a larger number than those that can be reached from it. */
  readonly component: Int32Array;
  readonly count: number;
}

/** Edge i leads from `from[i]` to `to[i]`. Iterative, because graphs are deep. */
export function componentsOf(size: number, from: Int32Array, to: Int32Array): Components {
  // the targets of a vertex stand together, from `first` on
  const first = new Int32Array(size + 1);
  for (const source of from) first[source + 1]++;
  for (let vertex = 0; vertex < size; vertex++) first[vertex + 1] += first[vertex];
  const targets = new Int32Array(to.length);
  const free = first.slice();
  for (let i = 0; i < to.length; i++) targets[free[from[i]]++] = to[i];

  const component = new Int32Array(size).fill(NONE);
  const number = new Int32Array(size).fill(NONE);
  const low = new Int32Array(size);
  const next = first.slice();
  const open: number[] = [];
  const path: number[] = [];
  let visited = 0;
  let count = 0;
  const enter = (vertex: number): void => {
    number[vertex] = visited;
    low[vertex] = visited++;
    open.push(vertex);
    path.push(vertex);
  };
  for (let root = 0; root < size; root++) {
    if (number[root] === NONE) enter(root);
    while (path.length > 0) {
      const vertex = path[path.length - 1];
      if (next[vertex] < first[vertex + 1]) {
        const target = targets[next[vertex]++];
        if (number[target] === NONE) enter(target);
        else if (component[target] === NONE) low[vertex] = Math.min(low[vertex], number[target]);
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before !== undefined) low[before] = Math.min(low[before], low[vertex]);
      if (low[vertex] !== number[vertex]) continue;
      for (let member = open.pop()!; ; member = open.pop()!) {
        component[member] = count;
        if (member === vertex) break;
      }
      count++;
    }
  }
  return { component, count };
}
