/**
 * Measures how busy the machine of the load generator is. Counts all processes of the machine, and other virtual machines that share its
 * cores. On the machines of the target, Dyno's Metricbeat module measures the same: collector/module/dyno/host/proc.go.
 */
import { cpus } from 'node:os';
import type { MachineLoad } from '../../../common/measurement/instrument';
import { ProcFile } from './proc-file';

/** CPU times in ms since the machine started, summed over its cores. */
interface CpuTimes {
  idle: number;
  steal: number;
}

/** Shortest measured interval in ms. The system counts in steps of 10 ms, so shorter intervals are too imprecise. */
const LEAST_MS = 200;

/** Length of a tick of `/proc/stat` in ms. USER_HZ is 100 on every Linux. */
const MS_PER_TICK = 10;

/**
 * Parses the first line of `/proc/stat` (proc(5)). Returns null if the line is missing, or if the system counts nothing (gVisor).
 *
 * Busy time is not read, because the kernel only estimates it: at each tick, the kernel counts the whole tick for whatever is running. For
 * work that timers start, such as a load generator's, this estimate is wrong by several percent. Idle time is measured exactly.
 */
export function parseCpuTimes(text: string): CpuTimes | null {
  const [name, ...fields] = text.slice(0, text.indexOf('\n')).trim().split(/\s+/);
  const [, , , idle, iowait = 0, , , steal = 0] = fields.map(Number);
  if (name !== 'cpu' || idle === undefined || fields.every((ticks) => Number(ticks) === 0)) return null;
  return { idle: (idle + iowait) * MS_PER_TICK, steal: steal * MS_PER_TICK };
}

/** Number of bytes to read from `/proc/stat`: enough for its first line. */
const LINE_BYTES = 256;

/** Reads the CPU times on systems other than Linux. These systems do not report stolen time, so `steal` is 0. */
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

  /**
   * Returns the load since the last call, or the last result if the last call was less than {@link LEAST_MS} ago. Null if the system does
   * not count CPU times.
   */
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
