/**
 * Simulated targets of known capacity, with simulated instead of real time. Each target is one queue, first come first served. Requests
 * arrive at a constant rate. For each target, one can calculate the rate at which a latency percentile reaches a limit. All times are in
 * ms.
 */
import type { Random } from '../../common/random';

/** A simulated target with random service times or a random speed. */
export interface SimulatedTarget {
  /**
   * Returns the time at which the response to a request is ready. `time`: arrival of the request. Must be called in the order of the
   * arrivals.
   */
  answered: (time: number) => number;
}

export interface TargetKind {
  name: string;
  /** Limit in ms that the latency must not exceed at the highest rate. */
  limitMs: number;
  make: (random: Random) => SimulatedTarget;
  /** Returns the long-term share of requests that take longer than `limitMs` at the rate `perSecond`. */
  slower: (perSecond: number) => number;
}

/** Mean capacity of every kind of target, in requests per second. */
export const CAPACITY = 200;

const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random.unit());

/** Returns a target of several servers that share a queue, with exponential service times. */
function markovian(servers: number, limitMs: number): TargetKind {
  const meanMs = (1000 * servers) / CAPACITY;
  return {
    name: `D/M/${servers}`,
    limitMs,
    make: (random) => {
      const free = Array.from({ length: servers }, () => 0);
      return {
        answered: (time) => {
          let next = 0;
          for (let i = 1; i < servers; i += 1) if (free[i]! < free[next]!) next = i;
          const answered = Math.max(time, free[next]!) + exponential(random, meanMs);
          free[next] = answered;
          return answered;
        },
      };
    },
    slower: (perSecond) => slowerThan(limitMs, servers, 1 / meanMs, perSecond / 1000),
  };
}

/**
 * Returns the probability that a latency is longer than `time` if requests arrive at constant intervals at a queue with several servers
 * (GI/M/c; Takács 1962, "Introduction to the Theory of Queues", chapter 2). `mu`: rate of one server; `lambda`: rate of arrivals.
 */
function slowerThan(time: number, servers: number, mu: number, lambda: number): number {
  const all = servers * mu;
  if (lambda >= all) return 1;
  const between = 1 / lambda;
  let sigma = 0;
  for (let i = 0; i < 10_000; i += 1) sigma = Math.exp(-all * (1 - sigma) * between);
  const choose = (n: number, k: number): number => {
    let result = 1;
    for (let i = 1; i <= k; i += 1) result = (result * (n - k + i)) / i;
    return result;
  };
  const left = (n: number, k: number, ms: number): number =>
    choose(n, k) * Math.exp(-k * mu * ms) * (1 - Math.exp(-mu * ms)) ** (n - k);
  const fromQueue = (k: number): number => {
    const steps = 2000;
    let sum = 0;
    for (let i = 0; i <= steps; i += 1) {
      const at = (between * i) / steps;
      const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
      sum += weight * sigma * all * Math.exp(-all * (1 - sigma) * at) * left(servers, k, between - at);
    }
    return (sum * between) / steps / 3;
  };
  const found = Array.from({ length: servers }, () => 0);
  found[servers - 1] = 1;
  for (let k = servers - 1; k >= 1; k -= 1) {
    let rest = found[k]! - fromQueue(k);
    for (let i = k; i < servers; i += 1) rest -= found[i]! * left(i + 1, k, between);
    found[k - 1] = rest / left(k, k, between);
  }
  const total = found.slice(0, -1).reduce((sum, each) => sum + each, 0) + 1 / (1 - sigma);
  const waits = sigma / (1 - sigma) / total;
  const drain = all * (1 - sigma);
  const both = (drain * Math.exp(-mu * time) - mu * Math.exp(-drain * time)) / (drain - mu);
  return (1 - waits) * Math.exp(-mu * time) + waits * both;
}

/** Relative change of the target's speed: the speed is higher or lower by this fraction. */
const WANDERS = 0.1;
const CHANGES_MS = 30_000;

/**
 * A target with one server and a constant service time. Its speed changes at random times between 10% faster and 10% slower. The share of
 * slow requests is calculated as in a fluid queue with two states (Anick, Mitra and Sondhi 1982).
 */
const wandering: TargetKind = {
  name: 'speed wanders by 10%',
  limitMs: 500,
  make: (random) => {
    let isFast = random.unit() < 0.5;
    let changesAt = exponential(random, CHANGES_MS);
    let free = 0;
    return {
      answered: (time) => {
        const begin = Math.max(time, free);
        while (changesAt < begin) {
          isFast = !isFast;
          changesAt += exponential(random, CHANGES_MS);
        }
        free = begin + 1000 / CAPACITY / (isFast ? 1 + WANDERS : 1 - WANDERS);
        return free;
      },
    };
  },
  slower: (perSecond) => {
    const grows = perSecond - CAPACITY * (1 - WANDERS);
    const shrinks = CAPACITY * (1 + WANDERS) - perSecond;
    if (grows <= 0) return 0;
    if (perSecond >= CAPACITY) return 1;
    const rate = 1000 / CHANGES_MS;
    const waited = (500 - 1000 / CAPACITY) / 1000;
    const decay = rate / grows - rate / shrinks;
    return 0.5 * (1 + grows / shrinks) * Math.exp(-decay * perSecond * waited);
  },
};

const STALL_MS = 1000;
const STALL_EACH_MS = 120_000;

/** A target with one server and a constant service time. It stalls for one second every two minutes. */
const stalling: TargetKind = {
  name: '1-s stall each 2 minutes',
  limitMs: 500,
  make: (random) => {
    const phase = random.unit() * STALL_EACH_MS;
    let free = 0;
    return {
      answered: (time) => {
        const begin = Math.max(time, free);
        const since = (begin + phase) % STALL_EACH_MS;
        free = begin + Math.max(0, STALL_MS - since) + 1000 / CAPACITY;
        return free;
      },
    };
  },
  slower: (perSecond) => {
    const utilisation = perSecond / CAPACITY / (1 - STALL_MS / STALL_EACH_MS);
    if (utilisation >= 1) return 1;
    const slowMs = (STALL_MS + 1000 / CAPACITY - 500) / (1 - perSecond / CAPACITY);
    return Math.min(1, slowMs / STALL_EACH_MS);
  },
};

export const TARGET_KINDS: readonly TargetKind[] = [
  markovian(4, 150),
  markovian(1, 100),
  wandering,
  stalling,
];

/** Returns the rate at which `slower` reaches `share`, by bisection. */
export function trueRate({ slower }: TargetKind, share: number): number {
  let [low, high] = [1, CAPACITY];
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (slower(middle) <= share) low = middle;
    else high = middle;
  }
  return low;
}
