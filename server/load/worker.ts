/** The entry of a load thread: passes messages between the pool and the share that runs here. */
import { parentPort } from 'node:worker_threads';
import type { FromShare, ToShare } from './messages';
import { ShareRun } from './share';

const port = parentPort;
if (port === null) throw new Error('worker.ts is the entry of a worker thread');

let run: ShareRun | null = null;

port.on('message', (message: ToShare) => {
  switch (message.kind) {
    case 'start':
      run = new ShareRun(message.job, (answer: FromShare) => {
        port.postMessage(answer);
      });
      break;
    case 'finish':
      run?.finish();
      break;
    case 'rate':
      run?.follow(message.task, message.order);
      break;
    case 'stop':
      run?.stop();
      break;
    case 'abort':
      run?.abort();
      break;
  }
});
