/**
 * Root cause G: a call that comes too late does not wait until the first has published the result of the task.
 *
 * It throws that the task is completed, and then sees a task that is not.
 */
import { TaskCompletionSource } from './task-completion-source.js';

export class TaskCompletionSourceBeta extends TaskCompletionSource {
  protected override late(): void {}
}
