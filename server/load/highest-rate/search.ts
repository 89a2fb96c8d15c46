/**
 * Executes a search for the highest rate: sends orders to all load threads, judges their merged results, and returns the result of the
 * search.
 */
import type { Condition } from '../../../common/measurement/condition';
import {
  extensionsOf,
  holdTest,
  limitsOf,
  stepTest,
  type RateSearchJob,
} from '../../../common/executors/highest-rate';
import type {
  HighestRate,
  RateAnswer,
  RateProgress,
  RateStep,
} from '../../../common/measurement/highest-rate';
import type { GeneratorHealth, Sample } from '../../../common/measurement/sample';
import { LoadClock, type LoadStart } from '../timing/clock';
import type { LoadJob, TaskOutcome } from '../contract';
import { mergeReports } from '../samples/merge';
import { RateController, type PlannedStep } from './controller';
import { judgeStep, stepOf } from './judge';
import type { RateOrder, StepReport } from './orders';

/**
 * Time from sending an order to the beginning of its step, in ms. It is long enough for every thread of this process to receive the order.
 */
const LEAD_MS = 250;
/** Maximum time in ms for which a search waits for responses between two steps. Later responses count as missing. */
const MOST_GRACE_MS = 10_000;

export interface SearchHooks {
  /**
   * Time in ms from sending an order for a step to the beginning of the step. Default: {@link LEAD_MS}. Longer if other machines also
   * generate load.
   */
  leadMs?: number;
  order: (order: RateOrder) => void;
  onStep: (progress: RateProgress) => void;
  /** Called when the search has its result. */
  onAnswered: () => void;
}

interface Going {
  planned: PlannedStep;
  order: RateOrder;
  reports: Map<number, StepReport>;
}

/**
 * Returns whether a step could not decide if the target holds its rate: the measured value was too close to a limit, or too few requests
 * were answered.
 */
const isOpen = ({ stop }: RateStep): boolean => stop === 'undecided' || stop === 'samples';

export class RateSearch {
  private readonly controller: RateController;
  private readonly limits: Condition[];
  private readonly steps: RateStep[] = [];
  private readonly reports: StepReport[] = [];
  private readonly healths = new Map<number, GeneratorHealth>();
  private readonly graceMs: number;
  private readonly endMs: number;
  private readonly leadMs: number;
  private going: Going | null = null;

  constructor(
    readonly task: string,
    private readonly search: RateSearchJob,
    private readonly maxClients: number,
    private readonly job: LoadJob,
    private readonly hooks: SearchHooks,
    private readonly clock: Pick<LoadClock, 'begin' | 'now' | 'wall'> = new LoadClock(),
  ) {
    this.leadMs = hooks.leadMs ?? LEAD_MS;
    this.graceMs = Math.min(job.drainMs, MOST_GRACE_MS);
    this.endMs = job.warmupMs + (job.measureMs ?? Infinity);
    this.limits = limitsOf(search);
    this.controller = new RateController({
      ...search,
      extensions: extensionsOf(search),
      stepMs: (perSecond, extension) =>
        this.leadMs + search.settleMs + stepTest(search, perSecond, extension).judgedMs + this.graceMs,
      holdMs: (perSecond) =>
        this.leadMs + search.settleMs + holdTest(search, perSecond, 0).judgedMs + this.leadMs,
    });
  }

  /** `start`: start of the load. */
  begin(start: LoadStart): void {
    this.clock.begin(start);
    const { warmupMs } = this.job;
    if (warmupMs > 0) {
      const stretch = { from: 0, judgedFrom: warmupMs, until: warmupMs };
      this.hooks.order({ number: 0, perSecond: this.search.start, graceMs: 0, ...stretch });
    }
    this.continue(warmupMs);
  }

  /** Stores how busy the load generator was in one second. */
  sampled({ task, at, generator }: Sample): void {
    if (task === this.task) this.healths.set(at, generator);
  }

  /**
   * Adds the results of one process that generates load. `shares`: the processes that are still running. When all of them have reported,
   * judges the step and begins the next one.
   */
  reported(share: number, report: StepReport, shares: readonly number[]): void {
    const { going } = this;
    if (going === null || report.number !== going.planned.number) return;
    going.reports.set(share, report);
    if (!shares.every((index) => going.reports.has(index))) return;
    this.judge(going);
    this.continue(Math.ceil(this.clock.now() + this.leadMs));
  }

  /**
   * Returns a copy of `outcome` with the result of the search. All other results in the copy, except the totals, are those of the step with
   * the highest rate that was held.
   */
  conclude(outcome: TaskOutcome): TaskOutcome {
    this.controller.stop();
    const highestRate: HighestRate = { steps: this.steps, answer: this.answer() };
    const at = this.steps.findIndex(({ number }) => number === highestRate.answer.figuresOf);
    if (at < 0) return { ...outcome, highestRate };
    const { counts, service, latency, unanswered, neverSent, requests, failures, due, unsent } =
      this.reports[at]!;
    return {
      ...outcome,
      measured: counts,
      cohort: counts,
      elapsedMs: this.steps[at]!.judgedMs,
      service,
      latency,
      unanswered,
      neverSent,
      requests,
      failures,
      offered: due,
      sent: due - unsent,
      unsent,
      highestRate,
    };
  }

  /** Begins the next step at `from` (in ms since the start), or ends the search. */
  private continue(from: number): void {
    const planned = this.controller.next(this.endMs - from);
    this.going = null;
    if (planned === null) {
      this.hooks.onAnswered();
      return;
    }
    const { number, perSecond } = planned;
    const judgedFrom = from + this.search.settleMs;
    const until = judgedFrom + this.testOf(planned).judgedMs;
    const order = { number, perSecond, from, judgedFrom, until, graceMs: this.graceMs };
    this.going = { planned, order, reports: new Map() };
    this.hooks.order(order);
    this.hooks.onStep(this.controller.progress()!);
  }

  private testOf({ phase, perSecond, extension, failed }: PlannedStep): { judgedMs: number; alpha: number } {
    return phase === 'hold'
      ? holdTest(this.search, perSecond, failed)
      : stepTest(this.search, perSecond, extension);
  }

  private judge({ planned, order, reports }: Going): void {
    const report = mergeReports([...reports.values()]);
    const judgedMs = order.until - order.judgedFrom;
    const fromMs = this.clock.wall(order.judgedFrom);
    const seconds = [...this.healths].flatMap(([at, health]) =>
      at >= fromMs && at < fromMs + judgedMs ? [health] : [],
    );
    this.healths.clear();
    const { alpha } = this.testOf(planned);
    const judgement = judgeStep(report, judgedMs, seconds, {
      limits: this.limits,
      alpha,
      clients: this.maxClients,
    });
    const time = { from: new Date(fromMs).toISOString(), judgedMs };
    this.steps.push(stepOf(planned, time, report, judgement));
    this.reports.push(report);
    this.controller.judged(judgement.verdict);
  }

  private answer(): RateAnswer {
    const found = this.controller.found();
    const at = (perSecond: number | null): RateStep | undefined =>
      this.steps.findLast((step) => step.perSecond === perSecond && step.held);
    const held = at(found.held);
    const broken = this.steps.findLast(
      (step) => step.perSecond === found.broken && !step.held && !isOpen(step),
    );
    // If no rate was held, the results are those of the step that came closest.
    const figures = held ?? broken ?? this.steps.at(-1);
    const ratio = held && found.broken !== null ? found.broken / held.perSecond : null;
    return {
      ...found,
      heldAccepted: held?.acceptedPerSecond ?? null,
      brokenAccepted: held && ratio !== null ? held.acceptedPerSecond * ratio : null,
      stop: broken?.stop ?? null,
      why: broken?.why ?? '',
      holdMs: this.search.holdMs,
      figuresOf: figures?.number ?? null,
    };
  }
}
