import assert from 'node:assert/strict';
import { everySchedule } from 'straightedge/node-test';

class Session {
  private token: string | undefined;
  private readonly refresh: () => Promise<string>;

  constructor(refresh: () => Promise<string>) {
    this.refresh = refresh;
  }

  async header(): Promise<string> {
    if (this.token === undefined) {
      this.token = await this.refresh(); // another call may run here
    }
    return `Bearer ${this.token}`;
  }
}

everySchedule('the token is fetched once', async ({ spawn, stub }) => {
  let fetched = 0;
  const session = new Session(stub('refresh', () => `token ${++fetched}`));
  await Promise.all([spawn('inbox', () => session.header()), spawn('profile', () => session.header())]);
  assert.equal(fetched, 1);
});
