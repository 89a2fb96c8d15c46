/**
 * Builds the report's cells (combinations of factor levels): the metrics of each task over the cell's completed trials, and the comparison
 * with the baseline.
 */
import { ownLatencies } from '../../analysis/instrument';
import { thinkTimeOf } from '../../executors/registry';
import { rateUnitOf, type RateUnit } from '../../tasks/registry';
import { tasksOf } from '../../experiment/resolved-cells';
import type { CellDefinition } from '../../experiment/cell-definition';
import { figuresOf, valuesOf, type CellFigures } from '../../analysis/blocks';
import { compareCells, type Comparison } from '../../analysis/comparison';
import { mean } from '../../analysis/interval';
import { findLimit, limitOfCell } from '../../analysis/limiting-factor';
import { trialFigures } from '../../analysis/limiting-factor-trial';
import { parseLimit } from '../../analysis/parse-limit';
import { cellRecall } from '../../analysis/recall';
import { summarise } from '../../analysis/summary';
import { isSaturated, trialsOf } from '../../analysis/validity';
import { transactionTimes } from '../../analysis/transaction';
import type { Definition } from '../../experiment/definition';
import { type Plan, definitionOf } from '../../experiment/plan';
import { hourlyIn, priceOf } from '../../experiment/price';
import { pausesMs } from '../../tasks/transaction';
import { censoredTimes } from '../../measurement/censored';
import { correctedTimes, type CorrectedTimes } from '../../measurement/corrected';
import { addCounts, errorRate, noCounts, rejectionRate } from '../../measurement/counts';
import {
  decodeHistogram,
  mergeHistograms,
  percentileIntervals,
  summariseHistogram,
  type Histogram,
  type LatencySummary,
} from '../../measurement/histogram';
import { sustainableRate } from '../../measurement/highest-rate';
import { type Provenance, placeAt } from '../../experiment/run';
import { sumParsing } from '../../measurement/parse';
import { perMoney, throughputOf } from '../../measurement/metric';
import { searchShares } from '../../profile/search-profile';
import { addReplay, noReplay, type ReplayAccount } from '../../measurement/replay';
import { addAnswers, noAnswers } from '../../measurement/same-answers';
import { addTraffic, noTraffic } from '../../measurement/traffic';
import { figureSummaries, joinFigures } from '../../measurement/answer-figure';
import type { DrawnRequests } from '../../measurement/distinct';
import { addWrites, noWrites } from '../../measurement/writes';
import { mergeFailures } from '../../measurement/failures';
import type { RequestSummary, TaskSummary, TrialDocument } from '../../measurement/trial';
import { collectedCoverage } from './collected-coverage';
import { indexMeans, serverMeans } from './server-means';
import type { ReportCell, ReportRate, ReportRequest, ReportTask } from './report';

export function buildCells(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  provenance: Provenance | null,
): ReportCell[] {
  const own = plan.cells.map(({ index }) => trialsOf(trials, index));
  const tasks = tasksOf(plan.cells).map(({ name }) => buildTask(definition, plan, trials, own, name));
  const figures = own.map((of) =>
    of.map((document) => ({
      document,
      figures: trialFigures(
        definitionOf(plan, document),
        placeAt(provenance, document.times.started),
        document,
      ),
    })),
  );
  return plan.cells.map((cell, at) => ({
    index: cell.index,
    id: cell.id,
    label: cell.label,
    levels: cell.levels,
    baseline: at === plan.baseline,
    completed: own[at]!.length,
    ...unverifiedIn(own[at]!),
    planned: plan.trials.filter((trial) => trial.cell === at).length,
    tasks: tasks.map((cells) => cells[at]!).filter((task) => task !== null),
    server: serverMeans(
      own[at]!,
      figures[at]!.filter(({ document }) => document.server !== null).map(({ figures: known }) => known),
    ),
    collected: collectedCoverage(
      own[at]!,
      figures[at]!.map(({ figures: known }) => known),
    ),
    state: indexMeans(own[at]!),
    limit: limitOfCell(figures[at]!.map(({ figures: known }) => findLimit(known))),
  }));
}

function ownOf(trials: readonly TrialDocument[], name: string): Pick<ReportTask, 'ownMs'> {
  const ownMs = ownLatencies(trials, name);
  return Object.keys(ownMs).length === 0 ? {} : { ownMs };
}

/** Throughput of one task for one combination of factor levels. */
export interface CellThroughput {
  unit: RateUnit;
  throughput: ReportTask['throughput'];
}

/**
 * Returns the throughput of a task for every cell (combination of factor levels), as in the report. Null for cells in which no trial of the
 * task completed.
 */
export const throughputsOf = (
  plan: Plan,
  trials: readonly TrialDocument[],
  name: string,
): (CellThroughput | null)[] =>
  plan.cells.map(({ index }) => {
    const of = summariesOf(trialsOf(trials, index), name);
    return of.length === 0 ? null : cellThroughput(of);
  });

const summariesOf = (trials: readonly TrialDocument[], name: string): TaskSummary[] =>
  trials.flatMap(({ tasks }) => tasks.filter(({ task }) => task === name));

const cellThroughput = (of: readonly TaskSummary[]): CellThroughput => ({
  unit: rateUnitOf(of[0]!.kind),
  throughput: summarise(of.map(throughputOf), 'higher'),
});

/** Builds the results of one task for every cell (combination of factor levels). Null for cells in which no trial of the task completed. */
function buildTask(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
  own: readonly (readonly TrialDocument[])[],
  name: string,
): (ReportTask | null)[] {
  const summaries = own.map((trials) => summariesOf(trials, name));
  const figures = (read: (summary: TaskSummary) => number | null): CellFigures[] =>
    figuresOf(plan, trials, (document) => {
      const summary = document.tasks.find(({ task }) => task === name);
      return summary ? read(summary) : null;
    });
  const others = plan.cells.map((_, at) => at).filter((at) => at !== plan.baseline);
  const compare = (of: readonly CellFigures[]): (Comparison | null)[] => {
    const found = compareCells(
      of,
      others.map((at) => [at, plan.baseline]),
      definition,
    ).comparisons;
    return plan.cells.map((_, at) => (at === plan.baseline ? null : found[others.indexOf(at)]!));
  };
  const throughputs = compare(figures(throughputOf));
  const slowest = compare(figures(({ latency }) => latency.p99));
  const rates = compare(figures(({ highestRate }) => sustainableRate(highestRate)));
  const moneys = figuresOf(plan, trials, (document) => {
    const summary = document.tasks.find(({ task }) => task === name);
    return summary ? perMoney(throughputOf(summary), hourlyIn(plan, document)) : null;
  });
  const costs = compare(moneys);
  const recalls = compare(figures(({ recall }) => recall?.mean ?? null));
  return summaries.map((of, at) => {
    if (of.length === 0) return null;
    const requests = requestsOf(of);
    const services = mergedHistogram(of.map(({ serviceHistogram }) => serviceHistogram));
    const waits = mergedHistogram(of.map(({ latencyHistogram }) => latencyHistogram));
    const service = summariseHistogram(services);
    const counts = of.reduce((sum, summary) => addCounts(sum, summary.counts), noCounts());
    return {
      task: name,
      kind: of[0]!.kind,
      ...cellThroughput(of),
      attemptedPerSecond: mean(of.map(({ attemptedPerSecond }) => attemptedPerSecond)),
      bytesPerSecond: mean(of.map(({ bytesPerSecond }) => bytesPerSecond)),
      counts,
      rejectionRate: rejectionRate(counts),
      errorRate: errorRate(counts),
      service,
      latency: summariseHistogram(waits),
      censored: censoredTimes(
        waits,
        of.map(({ censored }) => censored),
      ),
      corrected: correctedOf(plan.cells[at]!.definition, name, waits),
      intervals: { service: percentileIntervals(services), latency: percentileIntervals(waits) },
      ...ownOf(own[at]!, name),
      latencyP99: summarise(
        of.map(({ latency }) => latency.p99),
        'lower',
      ),
      comparison: throughputs[at]!,
      latencyComparison: slowest[at]!,
      offered: offeredOf(of),
      requests,
      transaction:
        of[0]!.kind === 'transaction'
          ? transactionTimes(
              requests.map((part) => part.service),
              service,
              gapsOf(plan.cells[at]!.definition, name),
            )
          : null,
      failures: mergeFailures(of.map(({ failures }) => failures)),
      ...retriesIn(of),
      replay: replayOf(of),
      ...answersOf(of),
      ...trafficOf(of),
      ...writesOf(of),
      ...drawnOf(of),
      ...costOf(plan, at, own[at]!, moneys[at]!, costs[at]!),
      ...recallIn(of, recalls[at]!),
      highestRate: rateOf(of, rates[at]!),
      parsing: parsingOf(of, own[at]!),
    };
  });
}

const mergedHistogram = (encoded: readonly string[]): Histogram =>
  mergeHistograms(encoded.map(decodeHistogram));

const mergedIfKnown = (encoded: readonly (string | undefined)[]): LatencySummary | null => {
  const known = encoded.filter((histogram) => histogram !== undefined);
  return known.length < encoded.length ? null : summariseHistogram(mergedHistogram(known));
};

/** Returns the total duration of the pauses between the requests of a transaction, in ms; 0 if the task `name` is not a transaction. */
function gapsOf(own: CellDefinition, name: string): number {
  const transaction = own.tasks.find((task) => task.name === name)?.transaction;
  return transaction ? pausesMs(transaction) : 0;
}

function offeredOf(of: readonly TaskSummary[]): ReportTask['offered'] {
  const open = of.filter(({ offeredPerSecond }) => offeredPerSecond !== null);
  if (open.length === 0) return null;
  const unsent = open.reduce((sum, summary) => sum + summary.unsent, 0);
  const due = open.reduce(
    (sum, { offeredPerSecond, elapsedMs }) => sum + (offeredPerSecond! * elapsedMs) / 1000,
    0,
  );
  return {
    offeredPerSecond: mean(open.map(({ offeredPerSecond }) => offeredPerSecond!)),
    sentPerSecond: mean(open.map(({ sentPerSecond }) => sentPerSecond ?? 0)),
    unsent,
    unsentShare: due === 0 ? 0 : Math.min(1, unsent / due),
    saturatedTrials: open.filter(isSaturated).length,
  };
}

/**
 * Returns the response times of a closed executor, corrected for coordinated omission. Null for an open executor. Its latency needs no
 * correction, because it begins when a request was due.
 */
function correctedOf(own: CellDefinition, name: string, waits: Histogram): CorrectedTimes | null {
  const executor = own.tasks.find((task) => task.name === name)?.executor;
  const thinkTimeMs = executor === undefined ? null : thinkTimeOf(executor, own);
  return thinkTimeMs === null ? null : correctedTimes(waits, thinkTimeMs);
}

function requestsOf(of: readonly TaskSummary[]): ReportTask['requests'] {
  const names = [...new Set(of.flatMap(({ requests }) => Object.keys(requests)))];
  return names.map((name) => {
    const own = of.flatMap(({ requests }) => requests[name] ?? []);
    const services = own.map(({ serviceHistogram }) => serviceHistogram);
    const latencies = own.map(
      ({ serviceHistogram, latencyHistogram }) => latencyHistogram ?? serviceHistogram,
    );
    return {
      name,
      count: own.reduce((sum, { count }) => sum + count, 0),
      failed: own.reduce((sum, { failed }) => sum + failed, 0),
      service: mergedIfKnown(services),
      latency: mergedIfKnown(latencies),
      ...judgedIn(own),
      ...figuresIn(own),
      ...profileIn(own),
    };
  });
}

/**
 * Merges the numbers that `figures` in the definition reads from the responses to one request, over all trials. Each response has the same
 * weight.
 */
function figuresIn(of: readonly Pick<RequestSummary, 'figures'>[]): Pick<ReportRequest, 'figures'> {
  const own = of.map(({ figures }) => figures).filter((figures) => figures !== undefined);
  if (own.length === 0) return {};
  const records = own.map((figures) =>
    Object.fromEntries(
      Object.entries(figures).map(([name, { count, mean: each, min, max }]) => [
        name,
        { count, sum: each * count, min, max },
      ]),
    ),
  );
  return { figures: figureSummaries(joinFigures(records)) };
}

function profileIn(of: readonly Pick<RequestSummary, 'profile'>[]): Pick<ReportRequest, 'profile'> {
  const profiles = of.flatMap((own) => own.profile ?? []);
  return profiles.length === 0 ? {} : { profile: searchShares(profiles) };
}

/** Merges the recall of one request over all trials. Each response for which recall was measured has the same weight. */
function judgedIn(of: readonly Pick<RequestSummary, 'recall'>[]): Pick<ReportRequest, 'recall'> {
  const own = of.flatMap(({ recall }) => (recall?.mean == null ? [] : [{ ...recall, mean: recall.mean }]));
  const judged = own.reduce((sum, one) => sum + one.judged, 0);
  if (judged === 0) return {};
  const mean = own.reduce((sum, one) => sum + one.mean * one.judged, 0) / judged;
  return { recall: { k: own[0]!.k, judged, mean } };
}

function recallIn(of: readonly TaskSummary[], comparison: Comparison | null): Pick<ReportTask, 'recall'> {
  const own = cellRecall(of.flatMap(({ recall }) => recall ?? []));
  if (own === undefined) return {};
  const p95 = summarise(
    of.map(({ latency }) => latency.p95),
    'lower',
  );
  return { recall: { ...own, p95, comparison } };
}

function writesOf(of: readonly TaskSummary[]): Pick<ReportTask, 'writes'> {
  const own = of.flatMap(({ writes }) => writes ?? []);
  return own.length === 0 ? {} : { writes: own.reduce(addWrites, noWrites()) };
}

/**
 * Returns the numbers of distinct requests as means over trials. They are not added up, because all trials with the same factor levels send
 * the same requests.
 */
function drawnOf(of: readonly TaskSummary[]): Pick<ReportTask, 'drawn'> {
  const own = of.flatMap(({ drawn }) => drawn ?? []);
  if (own.length === 0) return {};
  const per = (figure: (drawn: DrawnRequests) => number): number => mean(own.map(figure));
  return { drawn: { requests: per(({ requests }) => requests), distinct: per(({ distinct }) => distinct) } };
}

function replayOf(of: readonly TaskSummary[]): ReplayAccount | null {
  const replays = of.flatMap(({ replay }) => replay ?? []);
  return replays.length === 0 ? null : replays.reduce(addReplay, noReplay());
}

function trafficOf(of: readonly TaskSummary[]): Pick<ReportTask, 'traffic'> {
  const own = of.flatMap(({ traffic }) => traffic ?? []);
  return own.length === 0 ? {} : { traffic: own.reduce(addTraffic, noTraffic()) };
}

function answersOf(of: readonly TaskSummary[]): Pick<ReportTask, 'answers'> {
  const own = of.flatMap(({ answers }) => answers ?? []);
  return own.length === 0 ? {} : { answers: own.reduce(addAnswers, noAnswers()) };
}

/**
 * Returns counts and times of parsing raw lines into documents, summed over trials, and whether parsing or indexing was the bottleneck.
 * `of`: summaries of the task. `trials`: the trials of these summaries, in the same order.
 */
function parsingOf(of: readonly TaskSummary[], trials: readonly TrialDocument[]): ReportTask['parsing'] {
  const summary = sumParsing(of.flatMap(({ parsing }) => parsing ?? []));
  if (summary === null) return null;
  const servers = trials.flatMap(({ server }) => server ?? []);
  const indexing =
    servers.length < trials.length
      ? null
      : {
          documents: servers.reduce((sum, server) => sum + server.indexing.docs, 0),
          timeMs: servers.reduce((sum, server) => sum + server.indexing.timeMs, 0),
        };
  return { summary, limit: parseLimit(summary, indexing), indexing };
}

function retriesIn(of: readonly TaskSummary[]): Pick<ReportTask, 'retries'> {
  const own = of.flatMap(({ retries }) => (retries === undefined ? [] : [retries]));
  return own.length === 0 ? {} : { retries: mergeFailures(own) };
}

function costOf(
  plan: Plan,
  at: number,
  trials: readonly TrialDocument[],
  moneys: CellFigures,
  comparison: Comparison | null,
): Pick<ReportTask, 'cost'> {
  const price = priceOf(plan.cells[at]!.definition.environment);
  const hours = trials.flatMap((document) => hourlyIn(plan, document) ?? []);
  if (price === undefined || hours.length === 0 || moneys.trials.length === 0) return {};
  const { currency, date } = price;
  const isComparable = priceOf(plan.cells[plan.baseline]!.definition.environment)?.currency === currency;
  return {
    cost: {
      ...{ currency, date },
      hourly: mean(hours),
      perMoney: summarise(valuesOf(moneys), 'higher'),
      comparison: isComparable ? comparison : null,
    },
  };
}

/** Returns the highest rate that the task's searches confirmed. Null if the task does not search for the highest rate. */
function rateOf(of: readonly TaskSummary[], comparison: Comparison | null): ReportRate | null {
  const found = of.flatMap(({ highestRate }) => highestRate ?? []);
  if (found.length === 0) return null;
  const held = found.flatMap(({ answer }) => answer.held ?? []);
  const broken = found.flatMap(({ answer }) => answer.broken ?? []);
  return {
    sustained: summarise(found.map(sustainableRate), 'higher'),
    trials: found.length,
    bracket: {
      held: held.length === 0 ? null : Math.min(...held),
      broken: broken.length === 0 ? null : Math.max(...broken),
    },
    comparison,
  };
}

function unverifiedIn(trials: readonly TrialDocument[]): Pick<ReportCell, 'unverified'> {
  const unverified = trials.filter(({ trial }) => trial.unverified !== undefined).length;
  return unverified === 0 ? {} : { unverified };
}
