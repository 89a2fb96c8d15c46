/** `recorded`: requests when their log says, or so many times faster, however slow the answers are. */
import type { ExecutorJob } from '../contract';
import { partOf } from '../shares';
import type { Executor, ExecutorSetting } from './executor';
import { OpenLoop } from './open-loop';

type Job = Extract<ExecutorJob, { kind: 'recorded' }>;

export function createRecorded({ speed, maxClients }: Job, setting: ExecutorSetting): Executor {
  const { recordedTurns } = setting.operation;
  if (recordedTurns === undefined) throw new Error('the executor `recorded` needs a recorded log');
  const loop: OpenLoop = new OpenLoop(
    setting,
    recordedTurns.call(setting.operation, speed, () => {
      loop.turnKnown();
    }),
    partOf(maxClients, setting.share),
  );
  return loop;
}
