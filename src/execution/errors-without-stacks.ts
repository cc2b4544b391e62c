/**
 * Errors made meanwhile have no stack: an exploration throws the errors of its subject a hundred thousand times, and nobody looks at
 * where. What is shown of an error is its name and its message; where it was thrown is told by the trace of the schedule.
 */
export function withoutStacks<R>(run: () => R): R {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
