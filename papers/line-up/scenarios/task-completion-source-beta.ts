/**
 * Root cause G: who comes too late does not wait until the first has published how the task ended.
 *
 * So it is told that the task is completed, and then sees one that is not.
 */
import { TaskCompletionSource } from './task-completion-source.js';

export class TaskCompletionSourceBeta extends TaskCompletionSource {
  protected override late(): void {}
}
