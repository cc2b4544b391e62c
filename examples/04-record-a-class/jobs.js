/** A job queue with a fault: `dequeue` looks at the first job, waits, and then removes whichever job is first. */
export class Jobs {
  items = [];

  async enqueue(job) {
    this.items.push(job);
  }

  async dequeue() {
    const job = this.items[0] ?? null;
    await new Promise((resolve) => setTimeout(resolve, 1)); // for example, a write to a log
    this.items.shift();
    return job;
  }
}
