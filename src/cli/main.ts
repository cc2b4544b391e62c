#!/usr/bin/env node
/** The executable: `run` with the arguments and streams of this process. */
import { run } from './run.js';

// a reader such as `head` may close the pipe early: drop the rest and keep the exit code
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await run(process.argv.slice(2), process);
