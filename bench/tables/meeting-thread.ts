/** A real thread of a row of the table of meetings: serves rounds of stress. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveRounds } from 'straightedge/explore';
import type { MeetingRow } from './meeting-rows.js';
import { onRealThreads } from './real-threads.js';

if (parentPort) serveRounds(async () => onRealThreads(workerData as MeetingRow), parentPort);
