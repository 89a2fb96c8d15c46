/**
 * `npm run bench -- highest-rate`: looks for the highest rate that simulated targets with a known capacity sustain. Uses the code of a real
 * run with a virtual clock, with which simulated minutes take milliseconds. Random numbers are seeded.
 */
import { createRandom, deriveSeed } from '../../common/random';
import { highestRate, limitsOf, type RateSearchJob } from '../../common/executors/highest-rate';
import type { HighestRate } from '../../common/measurement/highest-rate';
import { createHistogram, encodeHistogram } from '../../common/measurement/histogram';
import { noCounts } from '../../common/measurement/counts';
import { durationMs } from '../../common/units/duration';
import type { LoadStart } from '../../server/load/timing/clock';
import type { LoadJob, TaskOutcome } from '../../server/load/contract';
import type { RateOrder, StepReport } from '../../server/load/highest-rate/orders';
import { RateSearch } from '../../server/load/highest-rate/search';
import { DueWindow } from '../../server/load/highest-rate/window';
import { TARGET_KINDS, trueRate, type SimulatedTarget, type TargetKind } from './simulated-targets';
import type { Row } from './table';

const MAX_CLIENTS = 256;
const GRACE_MS = 10_000;

/** A clock that only the simulation advances. Times are ms since the start. */
class VirtualClock {
  time = 0;

  begin(_start: LoadStart): void {
    this.time = 0;
  }

  now(): number {
    return this.time;
  }

  wall(time = this.time): number {
    return Math.floor(time);
  }
}

/**
 * Simulates a load thread that sends requests at a constant rate for some seconds. Returns the report of the thread, and the time at which
 * the report was complete.
 */
function carryOut(
  { number, perSecond, from, judgedFrom, until, graceMs }: RateOrder,
  target: SimulatedTarget,
  window: DueWindow,
): { report: StepReport; time: number } {
  const all = Math.ceil(((until - from) * perSecond) / 1000 - 1e-9);
  const answers = new Float64Array(all);
  const [waiting, missing] = [
    { before: 0, after: 0 },
    { unsent: 0, unsettled: 0 },
  ];
  let [due, served] = [0, 0];
  let lastAnswer = until;
  for (let i = 0; i < all; i += 1) {
    const at = from + (i * 1000) / perSecond;
    const isJudged = window.has(at);
    if (isJudged) due += 1;
    const sent = Math.max(at, i < MAX_CLIENTS ? 0 : answers[i - MAX_CLIENTS]!);
    if (sent >= until) {
      answers[i] = Infinity;
      if (isJudged) missing.unsent += 1;
      waiting.after += 1;
      if (at < judgedFrom) waiting.before += 1;
      window.completed(at, until - at);
      continue;
    }
    const answer = target.answered(sent);
    answers[i] = answer;
    if (at < judgedFrom && answer > judgedFrom) waiting.before += 1;
    if (answer > until) waiting.after += 1;
    if (answer > until + graceMs) {
      if (isJudged) missing.unsettled += 1;
      window.completed(at, until + graceMs - at);
      lastAnswer = until + graceMs;
      continue;
    }
    lastAnswer = Math.max(lastAnswer, answer);
    window.served(at, answer - sent);
    window.completed(at, answer - at);
    if (isJudged) served += 1;
  }
  window.count(judgedFrom, { ...noCounts(), requests: served, attempted: served, accepted: served });
  const report = {
    number,
    due,
    ...missing,
    waitingBefore: waiting.before,
    waitingAfter: waiting.after,
    ...window.report(),
  };
  return { report, time: lastAnswer };
}

const EMPTY = encodeHistogram(createHistogram());
const OUTCOME: TaskOutcome = {
  task: 'search',
  kind: 'search',
  measured: noCounts(),
  cohort: noCounts(),
  total: noCounts(),
  elapsedMs: 0,
  service: EMPTY,
  latency: EMPTY,
  unanswered: EMPTY,
  neverSent: EMPTY,
  requests: {},
  failures: {},
  offered: 0,
  sent: 0,
  unsent: 0,
  replay: null,
  senders: null,
  parsers: null,
};

/** Looks for the highest rate of a simulated target, with the default settings of a definition. */
export function searchSimulated(kind: TargetKind, seed: number, more: Partial<RateSearchJob> = {}) {
  const given = highestRate.schema.parse({ start: 20, limits: [`latency.p99 < ${kind.limitMs}ms`] });
  const { search } = highestRate.job(given, { index: { settings: {} } } as never);
  const target = kind.make(createRandom(seed));
  const clock = new VirtualClock();
  const orders: RateOrder[] = [];
  const limits = limitsOf({ ...search, ...more });
  let isAnswered = false;
  const measureMs = USUAL_MS;
  const job = { warmupMs: 30_000, measureMs, drainMs: GRACE_MS } as LoadJob;
  const running = new RateSearch(
    'search',
    { ...search, ...more },
    MAX_CLIENTS,
    job,
    {
      order: (order) => orders.push(order),
      onStep: () => undefined,
      onAnswered: () => (isAnswered = true),
    },
    clock,
  );
  running.begin({ at: 0, tick: 0 });
  while (!isAnswered) {
    const order = orders.shift()!;
    const window = new DueWindow(order.judgedFrom, order.until, limits);
    const { report, time } = carryOut(order, target, window);
    clock.time = time;
    if (order.number > 0) running.reported(0, report, [0]);
  }
  return { found: running.conclude(OUTCOME).highestRate!, minutes: clock.time / 60_000 };
}

const USUAL_MS = durationMs(highestRate.usualDuration ?? '5m');

const hasBracket = ({ answer }: HighestRate): boolean => answer.end === 'found' || answer.end === 'wide';

const share = (count: number, of: number): string => (of === 0 ? '–' : `${Math.round((100 * count) / of)}%`);

/** Looks for the highest rate `searches` times for each kind of simulated target. Returns one row for each kind. */
export function benchHighestRate(searches = 200): Row[] {
  return TARGET_KINDS.map((kind) => {
    const truth = trueRate(kind, 0.01);
    let [holds, above, below, withoutResult, minutes, steps] = [0, 0, 0, 0, 0, 0];
    const widths: number[] = [];
    for (let number = 0; number < searches; number += 1) {
      const went = searchSimulated(kind, deriveSeed(14, kind.name, number));
      minutes += went.minutes;
      steps += went.found.steps.length;
      const { held, broken } = went.found.answer;
      if (!hasBracket(went.found)) withoutResult += 1;
      else {
        widths.push(broken! / held! - 1);
        if (held! > truth) above += 1;
        else if (broken! < truth) below += 1;
        else holds += 1;
      }
    }
    widths.sort((a, b) => a - b);
    return {
      target: kind.name,
      'truth, requests/s': truth.toFixed(1),
      'contains the truth': share(holds, searches),
      'no result': share(withoutResult, searches),
      'too high': share(above, searches),
      'too low': share(below, searches),
      'median width': widths.length === 0 ? '–' : `${(100 * widths[widths.length >> 1]!).toFixed(1)}%`,
      'mean minutes': (minutes / searches).toFixed(1),
      'mean steps': (steps / searches).toFixed(1),
    };
  });
}
