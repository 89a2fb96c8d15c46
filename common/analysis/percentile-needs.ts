/** Calculates how many requests a percentile needs. Used to warn before a run, and to explain a missing percentile after a run. */
import type { CellDefinition } from '../experiment/cell-definition';
import { durationMs } from '../experiment/definition';
import type { Plan } from '../experiment/plan';
import { executorOf, requestsWithin } from '../executors/registry';
import { parseClaim, parseCondition } from '../measurement/condition';
import { PERCENTILES, valuesNeeded } from '../measurement/histogram';
import { findRequest, type Metric } from '../measurement/metric';
import type { TrialDocument } from '../measurement/trial';
import { formatDuration, formatNumber, plural } from '../units/format';
import type { CannotShow } from './cannot-show';

/** The percentile of a metric, and the number of requests that it needs in each trial. */
interface Need {
  /** Name of the percentile, such as `p99.9`. */
  name: string;
  requests: number;
}

function needOf({ figure, unit }: Pick<Metric, 'figure' | 'unit'>): Need | null {
  const [, name, number] = /^(?:latency|service_time)\.(p([\d.]+))$/.exec(figure) ?? [];
  return unit !== 'ms' || name === undefined ? null : { name, requests: valuesNeeded(Number(number)) };
}

/** Returns the highest percentile that this many requests allow, as `, or use p95`; '' if there is no such percentile. */
function lowerPercentile(requests: number, need: Need): string {
  const found = PERCENTILES.findLast(({ percentile }) => valuesNeeded(percentile) <= requests);
  return found === undefined || `p${found.percentile}` === need.name ? '' : `, or use p${found.percentile}`;
}

/** Returns a duration rounded up to a full second. */
const atLeast = (ms: number): string => formatDuration(Math.ceil(ms / 1000) * 1000);

/**
 * Returns the reason why a trial has no value for a percentile of a response time, and what to do:
 * `only 412 requests were measured, and p99 needs at least 1,000; ...`.
 */
export function tooFewRequests(metric: Metric, { tasks }: Pick<TrialDocument, 'tasks'>): string {
  const need = needOf(metric);
  const summary = tasks.find(({ task }) => task === metric.task);
  const times = metric.request === undefined ? summary : summary && findRequest(summary, metric.request);
  const count = (metric.figure.startsWith('service_time') ? times?.service : times?.latency)?.count ?? 0;
  if (summary === undefined || need === null || count === 0) return 'no request has a time';
  const longer = atLeast((summary.elapsedMs * need.requests) / count);
  return (
    `only ${plural(count, 'request')} ${count === 1 ? 'was' : 'were'} measured, and ${need.name} needs at least ` +
    `${formatNumber(need.requests)}; measure for at least ${longer} at this rate${lowerPercentile(count, need)}`
  );
}

/** Returns the number of requests of a task that a trial of the cell will measure. Null if it is not known in advance. */
function requestsMeasured(cell: CellDefinition, name: string): number | null {
  const task = cell.tasks.find((own) => own.name === name);
  if (task === undefined) return null;
  const { duration, documents } = cell.measure;
  if (documents !== undefined) {
    const ingests = cell.tasks.filter(({ ingest }) => ingest);
    const docs = task.ingest?.bulk.docs;
    return docs === undefined || ingests.length > 1 ? null : Math.ceil(documents / docs);
  }
  const warmupMs = durationMs(cell.measure.warmup);
  const before = requestsWithin(task.executor, cell, warmupMs);
  const until = requestsWithin(task.executor, cell, warmupMs + durationMs(duration!));
  return before === null || until === null ? null : Math.floor(until - before);
}

/** Returns advice on how to get enough requests, without a full stop. */
function helpFor(cell: CellDefinition, name: string, requests: number, need: Need): string {
  const lower = lowerPercentile(requests, need);
  const { duration, documents } = cell.measure;
  const task = cell.tasks.find((own) => own.name === name)!;
  if (documents !== undefined)
    return `measure.documents: ${Math.ceil((documents * need.requests) / Math.max(1, requests))}${lower}`;
  const measuredMs = durationMs(duration!);
  const longer =
    requests === 0 ? '' : `measure.duration: ${Math.ceil((measuredMs * need.requests) / requests / 1000)}s`;
  const { description } = executorOf(task.executor);
  const rate =
    description.name === 'constant-rate'
      ? `a rate of at least ${formatNumber(Math.ceil((need.requests * 1000 * 10) / measuredMs) / 10)}/s`
      : '';
  return `${[longer, rate].filter(Boolean).join(', or ') || 'more requests'}${lower}`;
}

/**
 * Finds claims and thresholds whose percentile needs more requests than each trial will send. Returns them with advice. Only checks loads
 * whose number of requests is known before the run, such as those with a rate or with a number of documents.
 */
export function percentilesOutOfReach({ cells }: Pick<Plan, 'cells'>): CannotShow[] {
  const found = new Map<string, CannotShow>();
  for (const { definition: cell } of cells)
    for (const [text, parsed] of [
      ...cell.expect.map((claim) => [claim, parseClaim(claim)] as const),
      ...cell.thresholds.map((threshold) => [threshold, parseCondition(threshold)] as const),
    ]) {
      if ('message' in parsed || found.has(text)) continue;
      const { metric } = parsed;
      const need = needOf(metric);
      const requests = need === null ? null : requestsMeasured(cell, metric.task);
      if (need === null || requests === null || requests >= need.requests) continue;
      found.set(text, {
        what:
          `“${text}” cannot be decided: ${need.name} needs at least ${plural(need.requests, 'request')} in each trial, and ` +
          `${metric.task} will send about ${formatNumber(requests)}`,
        help: helpFor(cell, metric.task, requests, need),
      });
    }
  return [...found.values()];
}
