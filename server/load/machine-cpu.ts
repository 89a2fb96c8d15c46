/** How busy the machine is on which the load is generated: by all processes, and by other machines that share its cores. */
import { cpus } from 'node:os';
import type { MachineLoad } from '../../common/measurement/instrument';
import { ProcFile } from './proc-file';

/** Since the machine started, over all cores, in any unit. */
interface CpuTimes {
  busy: number;
  steal: number;
  all: number;
}

/** Times closer together tell nothing: the system counts in steps of 10 ms. */
const LEAST_MS = 200;

/** From the first line of `/proc/stat` (proc(5)); null for what is none. */
export function parseCpuTimes(text: string): CpuTimes | null {
  const [name, ...fields] = text.slice(0, text.indexOf('\n')).trim().split(/\s+/);
  const [user, nice, system, idle, iowait = 0, irq = 0, softirq = 0, steal = 0] = fields.map(Number);
  if (name !== 'cpu' || user === undefined || idle === undefined) return null;
  const busy = user + nice! + system! + irq + softirq;
  return { busy, steal, all: busy + idle + iowait + steal };
}

/** Holds the first line of `/proc/stat`, of which no more is read. */
const LINE_BYTES = 256;

/** What other systems than Linux tell, which is nothing of what others have stolen. */
function cpuTimesElsewhere(): CpuTimes | null {
  const sum: CpuTimes = { busy: 0, steal: 0, all: 0 };
  for (const { times } of cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq;
    sum.busy += busy;
    sum.all += busy + times.idle;
  }
  return sum.all === 0 ? null : sum;
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
    const all = times === null || before === null ? 0 : times.all - before.all;
    if (times === null || before === null || all <= 0) return (this.last = null);
    this.last = {
      busy: (times.busy - before.busy) / all,
      steal: (times.steal - before.steal) / all,
      own: (own.user + own.system) / 1000 / elapsed / this.cores,
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
