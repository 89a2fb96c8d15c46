/** Creates the loop that executes a task. The executor of the task determines which loop this is. */
import type { Drives, LoopName } from '../../../common/executors/executor';
import { drivenBy, mostClients, type ExecutorJob } from '../../../common/executors/registry';
import { partOf, sendingShare } from '../threads/shares';
import { ClosedLoop } from './closed-loop';
import { ShareOfSchedule } from './due-times';
import type { Executor, ExecutorSetting } from './executor';
import { OpenLoop } from './open-loop';
import { SteppedLoop } from './stepped-loop';

/** Creates a loop. `most`: maximum number of clients, or of requests in flight, in all load threads together. */
type Loop<Name extends LoopName> = (drive: Drives[Name], most: number, setting: ExecutorSetting) => Executor;

const LOOPS: { [Name in LoopName]: Loop<Name> } = {
  closed: ({ clientsAt, changes, thinkTimeMs }, _most, setting) => {
    const { share } = setting;
    if (changes) return new ClosedLoop(setting, thinkTimeMs, (time) => partOf(clientsAt(time), share), true);
    const own = partOf(clientsAt(0), share);
    return new ClosedLoop(setting, thinkTimeMs, () => own, false);
  },
  open: (schedule, most, setting) => {
    const times = new ShareOfSchedule(schedule, sendingShare(setting.share, most));
    return new OpenLoop(setting, times, partOf(most, setting.share));
  },
  recorded: ({ speed }, most, setting) => {
    const times = setting.operation.recordedTimes?.(speed, () => {
      loop.dueKnown();
    });
    if (times === undefined) throw new Error('the executor `recorded` needs a recorded log');
    const loop: OpenLoop = new OpenLoop(setting, times, partOf(most, setting.share));
    return loop;
  },
  stepped: ({ limits }, most, setting) => new SteppedLoop(most, setting, limits),
};

export function createExecutor(job: ExecutorJob, setting: ExecutorSetting): Executor {
  const { loop, drive } = drivenBy(job);
  const create = LOOPS[loop] as Loop<LoopName>;
  return create(drive, mostClients(job), setting);
}
