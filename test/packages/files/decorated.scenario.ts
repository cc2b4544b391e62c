import { scenario } from 'straightedge';

type Method = (this: Seats) => Promise<boolean>;

/** A standard decorator: an experimental one would have a third argument, and no context. */
function logged(method: Method, { kind }: ClassMethodDecoratorContext): Method {
  return function (this: Seats) {
    this.log.push(kind);
    return method.call(this);
  };
}

class Seats {
  accessor free = 1;
  readonly log: string[] = [];
  @logged
  async reserve(): Promise<boolean> {
    if (this.free === 0) return false;
    await Promise.resolve(); // the cause
    this.free--;
    return true;
  }
}

export default scenario({ create: () => new Seats(), test: [[['reserve']], [['reserve']]] });
