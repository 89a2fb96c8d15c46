/** Entry file of the thread that writes recorded traffic. */
import { parentPort, workerData } from 'node:worker_threads';
import type { WritingSettings } from './frames';
import { writeTraffic } from './writing';

const port = parentPort;
if (port === null) throw new Error('thread.ts is the entry of a worker thread');
await writeTraffic(port, workerData as WritingSettings);
