/** A job queue with a fault: between the read of `taken` and its change, another thread may take the same job. */
export class JobQueue {
  private jobs: number[] = [];
  private taken = 0;

  add(job: number): void {
    this.jobs.push(job);
  }

  take(): number | null {
    const next = this.taken;
    if (next === this.jobs.length) return null;
    this.taken = next + 1;
    return this.jobs[next];
  }
}
