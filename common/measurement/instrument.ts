/** The delay that the load generator itself may have added to response times, and the load of its machine. */
import type { EncodedHistogram } from './histogram';

/** Delays over the measured phase, of all load threads together, in ms. */
export interface InstrumentDelays {
  /**
   * Histogram with an upper bound of the delay of each response time. The delay is the sum of two times: how long the request waited for a
   * connection, and how long its response may have waited until the busy load thread read it.
   */
  held: EncodedHistogram;
  /**
   * Histogram of the reaction times of the load threads. To measure one, Dyno sends a message over the loopback interface at a random
   * moment. The reaction time ends when a load thread reads the message. Shorter response times cannot be measured. Null if no message was
   * sent.
   */
  noticed: EncodedHistogram | null;
}

/** Machine that generates the load. */
export interface GeneratorMachine {
  host: string;
  cores: number;
  memoryBytes: number;
  /** Version of Node.js. */
  node: string;
  os: string;
}

/** Shares of all cores of the machine that generates the load, in [0, 1]. */
export interface MachineLoad {
  /** CPU time of all processes. */
  busy: number;
  /** Share of the time of this machine's cores that the hypervisor gave to other virtual machines; 0 if the system does not report it. */
  steal: number;
  /** CPU time of all threads of the process that generates the load; a part of `busy`. */
  own: number;
}

/** Mean load of the machine over the seconds of a measured phase. */
export interface MachineSummary extends MachineLoad {
  /**
   * CPU time of processes other than the load generator and the target, `steal` included; null if the target runs on this machine
   * and its CPU time is unknown.
   */
  others: number | null;
  /** Share of the seconds in which the machine was almost fully busy. */
  full: number;
  /** Whether the target runs on this machine too. */
  withTarget: boolean;
}

/** Summarises the load of one machine. `target`: CPU time of the target, if it runs on the same machine. */
export function summariseMachine(
  seconds: readonly MachineLoad[],
  target: { here: boolean; share: number | null },
): MachineSummary | null {
  if (seconds.length === 0) return null;
  const mean = (figure: (load: MachineLoad) => number): number =>
    seconds.reduce((sum, load) => sum + figure(load), 0) / seconds.length;
  const busy = mean((load) => load.busy);
  const steal = mean((load) => load.steal);
  const own = mean((load) => load.own);
  const targets = target.here ? target.share : 0;
  return {
    busy,
    steal,
    own,
    others: targets === null ? null : Math.max(0, busy + steal - own - targets),
    full: seconds.filter((load) => load.busy + load.steal > FULL_FROM).length / seconds.length,
    withTarget: target.here,
  };
}

/**
 * Utilisation from which a machine counts as full, because it cannot start new work at once. The remaining few percent are needed for the
 * kernel's own work.
 */
const FULL_FROM = 0.95;
