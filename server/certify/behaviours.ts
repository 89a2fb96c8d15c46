/**
 * Behaviours of the simulated server that the load generator measures for its certification. A behaviour defines how the server handles
 * each request. Behaviours are random, but determined by a seed.
 */
import type { Random } from '../../common/random';

/**
 * Handling of a request by the server. `answer`: answered normally. `reject`: answered with 429. `drop`: executed, but the connection is
 * reset instead of sending a response. `hang`: never answered.
 */
export type Fate = 'answer' | 'reject' | 'drop' | 'hang';

/** All fates. The log of the simulated server stores a fate as its index in this array. */
export const FATES = ['answer', 'reject', 'drop', 'hang'] as const satisfies readonly Fate[];

export interface Behaviour {
  name: string;
  /** Description of the behaviour for tables. */
  text: string;
  /** Returns the time in ms from the arrival of the next request until the server answers, rejects or drops it. */
  serviceMs: (random: Random) => number;
  /** Returns the fate of the next request. */
  fate: (random: Random) => Fate;
  /**
   * In each period of `everyMs`, the target sends no responses during the last `forMs`. Both are in ms. Null if the target never stalls.
   */
  stall: { everyMs: number; forMs: number } | null;
}

/** Returns a random number with the standard normal distribution (Box and Muller 1958). */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());

const always = (): Fate => 'answer';
const sometimes =
  (share: number, fate: Fate) =>
  (random: Random): Fate =>
    random.unit() < share ? fate : 'answer';
const fiveMs = (): number => 5;

/** Request timeout of the load generator in ms, for behaviours that leave some requests unanswered. */
export const GIVEN_UP_MS = 1000;

export const BEHAVIOURS = [
  { name: 'constant', text: '5 ms', serviceMs: fiveMs, fate: always, stall: null },
  {
    name: 'two-humps',
    text: '2 ms, 5% 50 ms',
    serviceMs: (random) => (random.unit() < 0.05 ? 50 : 2),
    fate: always,
    stall: null,
  },
  {
    name: 'log-normal',
    text: 'median 8 ms, sigma 0.8',
    serviceMs: (random) => Math.min(500, 8 * Math.exp(0.8 * normal(random))),
    fate: always,
    stall: null,
  },
  {
    name: 'stalling',
    text: '5 ms, nothing for 0.3 of each 3 s',
    serviceMs: fiveMs,
    fate: always,
    stall: { everyMs: 3000, forMs: 300 },
  },
  {
    name: 'rejecting',
    text: '5 ms, 10% are rejected',
    serviceMs: fiveMs,
    fate: sometimes(0.1, 'reject'),
    stall: null,
  },
  {
    name: 'hanging',
    text: '5 ms, 1% are never answered',
    serviceMs: fiveMs,
    fate: sometimes(0.01, 'hang'),
    stall: null,
  },
  {
    name: 'dropping',
    text: '5 ms, 2% are carried out and dropped',
    serviceMs: fiveMs,
    fate: sometimes(0.02, 'drop'),
    stall: null,
  },
] as const satisfies readonly Behaviour[];

export type BehaviourName = (typeof BEHAVIOURS)[number]['name'];

export const behaviourNamed = (name: BehaviourName): Behaviour =>
  BEHAVIOURS.find((behaviour) => behaviour.name === name)!;
