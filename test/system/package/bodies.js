/** Test bodies for `everySchedule`: two that pass, and one for each kind of failure. `equal` is the assertion of the runner. */

class Seats {
  free = 1;
  constructor(pay, isCareful) {
    this.pay = pay;
    this.isCareful = isCareful;
  }
  async reserve() {
    if (this.free === 0) return false;
    if (this.isCareful) this.free--;
    await this.pay();
    if (!this.isCareful) this.free--;
    return true;
  }
}

class Lock {
  tail = Promise.resolve();
  async acquire() {
    const before = this.tail;
    let release;
    this.tail = new Promise((resolve) => {
      release = resolve;
    });
    await before; // the deadlock
    return release;
  }
}

const sleep = () => new Promise((resolve) => setTimeout(resolve, 1));

export function defineBodies(everySchedule, equal) {
  const sell =
    (isCareful) =>
    async ({ spawn, stub }) => {
      const seats = new Seats(
        stub('pay', async () => {}),
        isCareful,
      );
      const sold = await Promise.all([spawn('A', () => seats.reserve()), spawn('B', () => seats.reserve())]);
      equal(sold.filter(Boolean), [true]);
    };
  everySchedule('one seat is sold once', sell(true), { coverage: 'exhaustive' });
  everySchedule('one seat is sold twice', sell(false));
  everySchedule.skip('a skipped test', sell(false));
  everySchedule('two locks in two orders', async ({ spawn }) => {
    const [a, b] = [new Lock(), new Lock()];
    const both = async (one, other) => {
      const release = await one.acquire();
      await sleep();
      (await other.acquire())();
      release();
    };
    await Promise.all([spawn('A', () => both(a, b)), spawn('B', () => both(b, a))]); // of the body
  });
  everySchedule('a timer throws', async ({ spawn }) => {
    await Promise.all([
      spawn('A', () => sleep()),
      spawn('B', () => {
        setTimeout(() => {
          throw new Error('thrown by a timer');
        }, 1);
      }),
    ]);
  });
  everySchedule('a rejection is lost', async ({ spawn }) => {
    const lose = async () => {
      await sleep();
      throw new Error('lost rejection');
    };
    await Promise.all([spawn('A', () => void lose()), spawn('B', () => sleep())]);
  });
  everySchedule(
    'a large test is sampled',
    async ({ spawn }) => {
      const part = async () => {
        for (let i = 0; i < 4; i++) await sleep();
      };
      await Promise.all([spawn(part), spawn(part), spawn(part), spawn(part)]);
    },
    { maxExecutions: 50 },
  );
}
