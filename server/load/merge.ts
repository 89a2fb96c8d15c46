/** Brings the shares' reports together: sums, merged histograms, and the worst where a figure is no sum. */
import { addCounts, noCounts } from '../../common/measurement/counts';
import {
  decodeHistogram,
  encodeHistogram,
  mergeHistograms,
  type EncodedHistogram,
} from '../../common/measurement/histogram';
import { addReplay, noReplay } from '../../common/measurement/replay';
import type { Failures, GeneratorHealth, RequestRecord, Sample } from '../../common/measurement/sample';
import type { LoadOutcome, TaskOutcome } from './contract';
import type { RefusedRequests } from './transport/nodes';
import type { StepReport } from './highest-rate/orders';
import type { TaskSecond, ThreadHealth } from './messages';
import { addFailure } from './recorder';

/** One histogram of all; a single one passes as it is. */
export function mergeEncoded(parts: readonly EncodedHistogram[]): EncodedHistogram {
  return parts.length === 1 ? parts[0]! : encodeHistogram(mergeHistograms(parts.map(decodeHistogram)));
}

export function mergeFailures(parts: readonly Failures[]): Failures {
  const merged: Failures = {};
  for (const part of parts) {
    for (const [type, { count, example }] of Object.entries(part)) addFailure(merged, type, count, example);
  }
  return merged;
}

/** By name, in the order of their first appearance. */
export function mergeRequests(
  parts: readonly Readonly<Record<string, RequestRecord>>[],
): Record<string, RequestRecord> {
  const names = [...new Set(parts.flatMap((requests) => Object.keys(requests)))];
  return Object.fromEntries(
    names.map((name) => {
      const own = parts.map((requests) => requests[name]).filter((request) => request !== undefined);
      const latencies = own.map(({ latency }) => latency).filter((latency) => latency !== null);
      return [
        name,
        {
          count: sum(own, ({ count }) => count),
          failed: sum(own, ({ failed }) => failed),
          service: mergeEncoded(own.map(({ service }) => service)),
          latency: latencies.length === 0 ? null : mergeEncoded(latencies),
        },
      ];
    }),
  );
}

const sum = <T>(parts: readonly T[], figure: (part: T) => number): number =>
  parts.reduce((total, part) => total + figure(part), 0);
const most = <T>(parts: readonly T[], figure: (part: T) => number): number =>
  parts.reduce((worst, part) => Math.max(worst, figure(part)), 0);
/** Null for closed executors; shares of one task agree on that. */
const sumOrNull = <T>(parts: readonly T[], figure: (part: T) => number | null): number | null =>
  parts.every((part) => figure(part) === null) ? null : sum(parts, (part) => figure(part) ?? 0);

/** The sample of one task and second from its shares; `at` in ms since the epoch. */
export function mergeSecond(
  parts: readonly TaskSecond[],
  healths: readonly ThreadHealth[],
  at: number,
): Sample {
  const first = parts[0]!;
  const generator: GeneratorHealth = {
    cpuMs: sum(healths, ({ cpuMs }) => cpuMs),
    utilisation: most(healths, ({ utilisation }) => utilisation),
    eventLoopDelayMs: most(healths, ({ eventLoopDelayMs }) => eventLoopDelayMs),
    scheduleLagMs: most(parts, ({ scheduleLagMs }) => scheduleLagMs),
  };
  return {
    task: first.task,
    at,
    phase: first.phase,
    counts: parts.reduce((counts, part) => addCounts(counts, part.counts), noCounts()),
    service: mergeEncoded(parts.map(({ service }) => service)),
    latency: mergeEncoded(parts.map(({ latency }) => latency)),
    clients: sum(parts, ({ clients }) => clients),
    offered: sumOrNull(parts, ({ offered }) => offered),
    backlog: sum(parts, ({ backlog }) => backlog),
    failures: mergeFailures(parts.map(({ failures }) => failures)),
    requests: mergeRequests(parts.map(({ requests }) => requests)),
    generator,
  };
}

/** The outcome of one task from those of its shares. */
export function mergeOutcome(parts: readonly TaskOutcome[]): TaskOutcome {
  const first = parts[0]!;
  return {
    task: first.task,
    kind: first.kind,
    measured: parts.reduce((counts, part) => addCounts(counts, part.measured), noCounts()),
    cohort: parts.reduce((counts, part) => addCounts(counts, part.cohort), noCounts()),
    total: parts.reduce((counts, part) => addCounts(counts, part.total), noCounts()),
    elapsedMs: most(parts, ({ elapsedMs }) => elapsedMs),
    service: mergeEncoded(parts.map(({ service }) => service)),
    latency: mergeEncoded(parts.map(({ latency }) => latency)),
    unanswered: mergeEncoded(parts.map(({ unanswered }) => unanswered)),
    neverSent: mergeEncoded(parts.map(({ neverSent }) => neverSent)),
    requests: mergeRequests(parts.map(({ requests }) => requests)),
    failures: mergeFailures(parts.map(({ failures }) => failures)),
    offered: sumOrNull(parts, ({ offered }) => offered),
    sent: sumOrNull(parts, ({ sent }) => sent),
    unsent: sum(parts, ({ unsent }) => unsent),
    replay: parts.every(({ replay }) => replay === null)
      ? null
      : parts.reduce((all, { replay }) => (replay === null ? all : addReplay(all, replay)), noReplay()),
    senders: first.senders && {
      occupiedMs: sum(parts, ({ senders }) => senders?.occupiedMs ?? 0),
      waitedMs: sum(parts, ({ senders }) => senders?.waitedMs ?? 0),
    },
    parsers: null,
  };
}

/** Of all shares, by the URLs of the nodes. */
export const mergeRefusals = (
  nodes: readonly string[],
  parts: readonly (readonly RefusedRequests[])[],
): LoadOutcome['refusals'] =>
  nodes.flatMap((url, place) => {
    const own = parts.flat().filter(({ node }) => node === place);
    if (own.length === 0) return [];
    return [
      { node: url, refused: sum(own, ({ refused }) => refused), moved: sum(own, ({ moved }) => moved) },
    ];
  });

/** What all shares tell of one step of a search. */
export const mergeReports = (parts: readonly StepReport[]): StepReport => ({
  number: parts[0]!.number,
  due: sum(parts, ({ due }) => due),
  unsent: sum(parts, ({ unsent }) => unsent),
  unsettled: sum(parts, ({ unsettled }) => unsettled),
  waitingBefore: sum(parts, ({ waitingBefore }) => waitingBefore),
  waitingAfter: sum(parts, ({ waitingAfter }) => waitingAfter),
  counts: parts.reduce((counts, part) => addCounts(counts, part.counts), noCounts()),
  service: mergeEncoded(parts.map(({ service }) => service)),
  latency: mergeEncoded(parts.map(({ latency }) => latency)),
  unanswered: mergeEncoded(parts.map(({ unanswered }) => unanswered)),
  neverSent: mergeEncoded(parts.map(({ neverSent }) => neverSent)),
  requests: mergeRequests(parts.map(({ requests }) => requests)),
  failures: mergeFailures(parts.map(({ failures }) => failures)),
});
