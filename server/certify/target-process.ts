/** Entry file of the process of the simulated server for the certification, and of the timing thread of this process. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { BehaviourName } from './behaviours';
import { collectGarbageSeldom } from '../load/instrument/garbage';
import { keepTime, type SharedMoment } from './departures';
import { CertifyTarget, type TargetLog } from './target';

export type ToTarget = { kind: 'behave'; behaviour: BehaviourName; seed: number } | { kind: 'log' };

export type FromTarget =
  | { kind: 'listens'; port: number }
  | { kind: 'behaves' }
  | { kind: 'log'; log: TargetLog };

async function serve(): Promise<void> {
  // A late timestamp would make the true time too short.
  collectGarbageSeldom();
  // Path of this built file. In a Kibana plugin, the file is not an ECMAScript module.
  const target = new CertifyTarget(process.argv[1]!);
  const send = (message: FromTarget): void => {
    process.send?.(message);
  };
  process.on('message', (message: ToTarget) => {
    if (message.kind === 'behave') {
      target.behave(message.behaviour, message.seed);
      send({ kind: 'behaves' });
    } else send({ kind: 'log', log: target.log() });
  });
  // The process that measures has ended.
  process.on('disconnect', () => process.exit(0));
  send({ kind: 'listens', port: await target.listen() });
}

if (isMainThread) void serve();
else {
  keepTime(workerData as SharedMoment, () => {
    parentPort!.postMessage(0);
  });
}
