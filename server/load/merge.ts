/** Brings the shares' reports together: sums, merged histograms, and the worst where a figure is no sum. */
import { addCounts, noCounts } from '../../common/measurement/counts';
import {
  addCounted,
  createHistogram,
  decodeHistogram,
  encodeHistogram,
  mergeHistograms,
  type CountedValues,
  type EncodedHistogram,
} from '../../common/measurement/histogram';
import { addReplay, noReplay } from '../../common/measurement/replay';
import type { InstrumentDelays, MachineLoad } from '../../common/measurement/instrument';
import type { Failures, GeneratorHealth, RequestRecord, Sample } from '../../common/measurement/sample';
import type { LoadOutcome, TaskOutcome } from './contract';
import { mergeTallies } from './highest-rate/limit-test';
import type { RefusedRequests } from './transport/nodes';
import type { StepReport } from './highest-rate/orders';
import type { TaskSecond, ThreadHealth } from './messages';
import { addFailure } from './recorder';

/** One histogram of all; a single one passes as it is. */
export function mergeEncoded(parts: readonly EncodedHistogram[]): EncodedHistogram {
  return parts.length === 1 ? parts[0]! : encodeHistogram(mergeHistograms(parts.map(decodeHistogram)));
}

/** The same from counts that load threads told. */
const mergeCounted = (parts: readonly CountedValues[]): EncodedHistogram =>
  encodeHistogram(parts.reduce(addCounted, createHistogram()));

export function mergeFailures(parts: readonly Failures[]): Failures {
  const merged: Failures = {};
  for (const part of parts) {
    for (const [type, { count, example }] of Object.entries(part)) addFailure(merged, type, count, example);
  }
  return merged;
}

/** By name, in the order of their first appearance. */
export const mergeRequests = (
  parts: readonly Readonly<Record<string, RequestRecord>>[],
): Record<string, RequestRecord> => joinRequests(parts, mergeEncoded);

function joinRequests<Times>(
  parts: readonly Readonly<Record<string, RequestRecord<Times>>>[],
  join: (times: readonly Times[]) => EncodedHistogram,
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
          service: join(own.map(({ service }) => service)),
          latency: latencies.length === 0 ? null : join(latencies),
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
  machine: MachineLoad | null = null,
): Sample {
  const first = parts[0]!;
  const generator: GeneratorHealth = {
    cpuMs: sum(healths, ({ cpuMs }) => cpuMs),
    utilisation: most(healths, ({ utilisation }) => utilisation),
    eventLoopDelayMs: most(healths, ({ eventLoopDelayMs }) => eventLoopDelayMs),
    scheduleLagMs: most(parts, ({ scheduleLagMs }) => scheduleLagMs),
    ...(machine === null ? {} : { machine }),
  };
  return {
    task: first.task,
    at,
    phase: first.phase,
    counts: parts.reduce((counts, part) => addCounts(counts, part.counts), noCounts()),
    service: mergeCounted(parts.map(({ service }) => service)),
    latency: mergeCounted(parts.map(({ latency }) => latency)),
    clients: sum(parts, ({ clients }) => clients),
    offered: sumOrNull(parts, ({ offered }) => offered),
    backlog: sum(parts, ({ backlog }) => backlog),
    failures: mergeFailures(parts.map(({ failures }) => failures)),
    requests: joinRequests(
      parts.map(({ requests }) => requests),
      mergeCounted,
    ),
    generator,
  };
}

/** Of all shares. */
export function mergeDelays(parts: readonly InstrumentDelays[]): InstrumentDelays {
  const noticed = parts.flatMap((part) => part.noticed ?? []);
  return {
    held: mergeEncoded(parts.map(({ held }) => held)),
    noticed: noticed.length === 0 ? null : mergeEncoded(noticed),
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
    ...lagOf(parts),
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

const lagOf = (parts: readonly TaskOutcome[]): Pick<TaskOutcome, 'lag'> => {
  const lags = parts.flatMap(({ lag }) => lag ?? []);
  return lags.length === 0 ? {} : { lag: mergeEncoded(lags) };
};
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
  tallies: mergeTallies(parts.map(({ tallies }) => tallies)),
});
