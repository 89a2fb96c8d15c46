/** How busy the machine is on which the load is generated: by all processes, and by other machines that share its cores. */
import { cpus } from 'node:os';
import type { MachineLoad } from '../../../common/measurement/instrument';
import { ProcFile } from './proc-file';

/** Since the machine started, summed over its cores, ms. */
interface CpuTimes {
  idle: number;
  steal: number;
}

/** Times closer together tell nothing: the system counts in steps of 10 ms. */
const LEAST_MS = 200;

/** Unit of `/proc/stat`: USER_HZ is 100 on every Linux. */
const MS_PER_TICK = 10;

/**
 * Reads the first line of `/proc/stat` (proc(5)); null if it has none, or if the system counts nothing, as gVisor. The kernel measures idle time, but guesses the times of work by
 * looking at each tick what runs. Work that timers start, as ours, is guessed wrong by several percent of the machine, so only
 * the idle time is used.
 */
export function parseCpuTimes(text: string): CpuTimes | null {
  const [name, ...fields] = text.slice(0, text.indexOf('\n')).trim().split(/\s+/);
  const [, , , idle, iowait = 0, , , steal = 0] = fields.map(Number);
  if (name !== 'cpu' || idle === undefined || fields.every((ticks) => Number(ticks) === 0)) return null;
  return { idle: (idle + iowait) * MS_PER_TICK, steal: steal * MS_PER_TICK };
}

/** Holds the first line of `/proc/stat`, of which no more is read. */
const LINE_BYTES = 256;

/** On other systems than Linux, which do not count stolen time. */
function cpuTimesElsewhere(): CpuTimes | null {
  const all = cpus();
  return all.length === 0 ? null : { idle: all.reduce((sum, { times }) => sum + times.idle, 0), steal: 0 };
}

export class MachineWatch {
  private readonly stat = new ProcFile('/proc/stat', LINE_BYTES);
  private before = this.read();
  private readonly cores = Math.max(1, cpus().length);
  private ownBefore = process.cpuUsage();
  private at = performance.now();
  private last: MachineLoad | null = null;

  /** Since the last call; what that one told where it was only just now. Null where the system does not tell. */
  take(): MachineLoad | null {
    const now = performance.now();
    const elapsed = now - this.at;
    if (elapsed < LEAST_MS) return this.last;
    const times = this.read();
    const own = process.cpuUsage(this.ownBefore);
    const { before } = this;
    this.before = times;
    this.ownBefore = process.cpuUsage();
    this.at = now;
    if (times === null || before === null) return (this.last = null);
    const all = elapsed * this.cores;
    const steal = (times.steal - before.steal) / all;
    this.last = {
      busy: Math.max(0, 1 - (times.idle - before.idle) / all - steal),
      steal,
      own: (own.user + own.system) / 1000 / all,
    };
    return this.last;
  }

  close(): void {
    this.stat.close();
  }

  private read(): CpuTimes | null {
    const text = this.stat.read();
    return text === null ? cpuTimesElsewhere() : parseCpuTimes(text);
  }
}
