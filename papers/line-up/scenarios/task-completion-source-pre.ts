/**
 * Root cause F: the check whether the task is completed and the completion are two steps.
 *
 * Two threads may both find it open, and both succeed in completing it. The paper only
 * says that the class had a bug.
 */
import { type Completion, TaskCompletionSource } from './task-completion-source.js';

export class TaskCompletionSourcePre extends TaskCompletionSource {
  protected override tryComplete(completion: Completion): boolean {
    if (this.completion !== null) return false;
    this.publish(completion);
    return true;
  }
}
