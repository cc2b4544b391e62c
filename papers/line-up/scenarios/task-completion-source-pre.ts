/**
 * Root cause F: whether the task is completed is asked first, and acted upon later.
 *
 * Two threads may both find it open, and both be told that theirs was the completion. The paper tells no more
 * than that the class had a bug.
 */
import { type Completion, TaskCompletionSource } from './task-completion-source.js';

export class TaskCompletionSourcePre extends TaskCompletionSource {
  protected override tryComplete(completion: Completion): boolean {
    if (this.completion !== null) return false;
    this.publish(completion);
    return true;
  }
}
