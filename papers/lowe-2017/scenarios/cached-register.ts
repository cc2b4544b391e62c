/**
 * A register that is not volatile: each thread uses the value that it has read or written last.
 *
 * Compilers do this to a plain field. The explorer is sequentially consistent and shows no stale read by itself,
 * so here each thread keeps a copy.
 */
import { currentThread } from 'straightedge/explore';
import { Register } from './register.js';

export class CachedRegister extends Register {
  private readonly copies = new Map<number, number>();

  override read(): number {
    const copy = this.copies.get(currentThread()) ?? super.read();
    this.copies.set(currentThread(), copy);
    return copy;
  }

  override write(value: number): void {
    this.copies.set(currentThread(), value);
    super.write(value);
  }
}
