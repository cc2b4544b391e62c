/** Disjoint sets over 0 … n-1, with union by size and path halving. Cost: nearly O(1) per call. */
import { range } from '../collections/ints.js';

export class UnionFind {
  #parent: Int32Array;
  #size: Int32Array;

  constructor(length: number) {
    this.#parent = range(length);
    this.#size = new Int32Array(length).fill(1);
  }

  find(item: number): number {
    const parent = this.#parent;
    let root = item;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]];
      root = parent[root];
    }
    return root;
  }

  union(a: number, b: number): void {
    let large = this.find(a);
    let small = this.find(b);
    if (large === small) return;
    if (this.#size[large] < this.#size[small]) [large, small] = [small, large];
    this.#parent[small] = large;
    this.#size[large] += this.#size[small];
  }
}
