/** A job queue with a mistake: between looking at `taken` and changing it, another thread may do the same. */
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
