/** Measures in each second how busy a load thread is, and by how much its event loop is delayed. */
import { monitorEventLoopDelay, performance, type EventLoopUtilization } from 'node:perf_hooks';
import type { ThreadHealth } from '../messages';
import { ThreadCpu } from './thread-cpu';

/** Sampling interval of the event loop's delay, in ms. Each sampled value includes this interval. */
const RESOLUTION_MS = 10;

export class HealthWatch {
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private loop: EventLoopUtilization;
  private readonly own = new ThreadCpu();
  private cpu: number | null;
  private napped = 0;

  /**
   * `nappedMs`: returns the total time in ms for which this thread has slept while waiting to send at a precise time. The event loop counts
   * that time as busy, so it is subtracted.
   */
  constructor(private readonly nappedMs: () => number) {
    this.delay.enable();
    this.loop = performance.eventLoopUtilization();
    this.cpu = this.own.ms();
  }

  /** Returns the measurements since the last call. */
  take(): ThreadHealth {
    const loop = performance.eventLoopUtilization();
    const { active, idle } = performance.eventLoopUtilization(loop, this.loop);
    this.loop = loop;
    const naps = this.nappedMs();
    const busy = Math.max(0, active - (naps - this.napped));
    this.napped = naps;
    const cpu = this.own.ms();
    // If the system reports no CPU times, the time in which the loop was not idle is the best estimate.
    const cpuMs = cpu === null || this.cpu === null ? busy : cpu - this.cpu;
    this.cpu = cpu;
    const delayed = this.delay.count === 0 ? 0 : this.delay.percentile(99) / 1e6 - RESOLUTION_MS;
    this.delay.reset();
    return {
      cpuMs,
      utilisation: active + idle === 0 ? 0 : busy / (active + idle),
      eventLoopDelayMs: Math.max(0, delayed),
    };
  }

  close(): void {
    this.delay.disable();
    this.own.close();
  }
}
