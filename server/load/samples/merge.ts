/**
 * Merges the reports of threads, and of processes that generate load. Counts are added and histograms are merged. Where a sum makes no
 * sense, such as for a utilisation, the worst value counts.
 */
import { addCounts, noCounts } from '../../../common/measurement/counts';
import {
  addCounted,
  createHistogram,
  decodeHistogram,
  encodeHistogram,
  joinCounted,
  mergeHistograms,
  type CountedValues,
  type EncodedHistogram,
} from '../../../common/measurement/histogram';
import {
  addParseAccount,
  addParserTimes,
  noParseAccount,
  noParserTimes,
  type ParserFigures,
} from '../../../common/measurement/parse';
import { joinFigures } from '../../../common/measurement/answer-figure';
import { joinRecall } from '../../../common/measurement/recall';
import { addReplay, noReplay } from '../../../common/measurement/replay';
import { addAnswers, noAnswers } from '../../../common/measurement/same-answers';
import { addTraffic, noTraffic } from '../../../common/measurement/traffic';
import { mergeSketches } from '../../../common/measurement/distinct';
import { addWrites, noWrites } from '../../../common/measurement/writes';
import type { InstrumentDelays, MachineLoad } from '../../../common/measurement/instrument';
import { mergeFailures } from '../../../common/measurement/failures';
import type { GeneratorHealth, RequestRecord, Sample } from '../../../common/measurement/sample';
import type { LoadOutcome, TaskOutcome } from '../contract';
import { mergeTallies } from '../highest-rate/limit-test';
import type { RefusedConnections } from '../transport/nodes';
import type { StepReport } from '../highest-rate/orders';
import type { Reach, TaskSecond, ThreadHealth } from '../messages';

/** Merges the histograms of all parts. A single histogram is returned unchanged. */
export function mergeEncoded(parts: readonly EncodedHistogram[]): EncodedHistogram {
  return parts.length === 1 ? parts[0]! : encodeHistogram(mergeHistograms(parts.map(decodeHistogram)));
}

/** Builds one encoded histogram from several lists of values with their counts, one list per load thread. */
const mergeCounted = (parts: readonly CountedValues[]): EncodedHistogram =>
  encodeHistogram(addCounted(createHistogram(), joinCounted(parts)));

/** Merges results by request name, in the order of first appearance. */
export const mergeRequests = (
  parts: readonly Readonly<Record<string, RequestRecord>>[],
): Record<string, RequestRecord> => joinRequests(parts, mergeEncoded);

function joinRequests<Times, Joined>(
  parts: readonly Readonly<Record<string, RequestRecord<Times>>>[],
  join: (times: readonly Times[]) => Joined,
): Record<string, RequestRecord<Joined>> {
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
          ...recallIn(own),
          ...figuresIn(own),
        },
      ];
    }),
  );
}

function figuresIn(parts: readonly Pick<RequestRecord, 'figures'>[]): Pick<RequestRecord, 'figures'> {
  const own = parts.map(({ figures }) => figures).filter((figures) => figures !== undefined);
  return own.length === 0 ? {} : { figures: joinFigures(own) };
}

function recallIn(parts: readonly Pick<RequestRecord, 'recall'>[]): Pick<RequestRecord, 'recall'> {
  const recall = joinRecall(
    parts.flatMap((part) => part.recall ?? []),
    { sameQueries: true },
  );
  return recall === undefined ? {} : { recall };
}

const sum = <T>(parts: readonly T[], figure: (part: T) => number): number =>
  parts.reduce((total, part) => total + figure(part), 0);
const most = <T>(parts: readonly T[], figure: (part: T) => number): number =>
  parts.reduce((worst, part) => Math.max(worst, figure(part)), 0);
/** Returns the sum of a value over all parts. Null if all parts report null, as for closed executors. */
const sumOrNull = <T>(parts: readonly T[], figure: (part: T) => number | null): number | null =>
  parts.every((part) => figure(part) === null) ? null : sum(parts, (part) => figure(part) ?? 0);

/** Results of a task in one second. `Times`: the form of the times, an encoded histogram or a list of values with counts. */
type Second<Times> = Omit<TaskSecond, 'service' | 'latency' | 'requests'> & {
  service: Times;
  latency: Times;
  requests: Record<string, RequestRecord<Times>>;
};

function addSeconds<Times>(
  parts: readonly TaskSecond[],
  join: (times: readonly CountedValues[]) => Times,
): Second<Times> {
  const { task, second, phase } = parts[0]!;
  return {
    task,
    second,
    phase,
    counts: parts.reduce((counts, part) => addCounts(counts, part.counts), noCounts()),
    service: join(parts.map(({ service }) => service)),
    latency: join(parts.map(({ latency }) => latency)),
    clients: sum(parts, ({ clients }) => clients),
    offered: sumOrNull(parts, ({ offered }) => offered),
    backlog: sum(parts, ({ backlog }) => backlog),
    scheduleLagMs: most(parts, ({ scheduleLagMs }) => scheduleLagMs),
    failures: mergeFailures(parts.map(({ failures }) => failures)),
    requests: joinRequests(
      parts.map(({ requests }) => requests),
      join,
    ),
  };
}

/** Merges the results of several load threads for the same second of a task. */
export const joinSeconds = (parts: readonly TaskSecond[]): TaskSecond =>
  parts.length === 1 ? parts[0]! : addSeconds(parts, joinCounted);

/** Merges the health of several threads: the sum of their CPU times, and the worst of all other values. */
export const mergeHealth = (healths: readonly ThreadHealth[]): ThreadHealth => ({
  cpuMs: sum(healths, ({ cpuMs }) => cpuMs),
  utilisation: most(healths, ({ utilisation }) => utilisation),
  eventLoopDelayMs: most(healths, ({ eventLoopDelayMs }) => eventLoopDelayMs),
});

/** Returns the load of the busiest machine; null if no machine reports one. */
export const mergeMachines = (machines: readonly (MachineLoad | null)[]): MachineLoad | null =>
  machines.reduce(
    (worst, machine) => (machine !== null && (worst === null || machine.busy > worst.busy) ? machine : worst),
    null,
  );

/**
 * Merges reports on how well threads or processes reach the target. Takes the shortest time since a response, and the longest time without
 * a connection.
 */
export const mergeReach = (parts: readonly Reach[]): Reach => {
  const silentMs = most(parts, (part) => part.silentMs);
  return {
    sinceAnswerMs: Math.min(...parts.map(({ sinceAnswerMs }) => sinceAnswerMs)),
    silentMs,
    example: parts.find((part) => part.silentMs === silentMs)?.example ?? '',
  };
};

/** Returns the sample of one task for one second. `at`: start of the second, in ms since the epoch. */
export function mergeSecond(
  parts: readonly TaskSecond[],
  healths: readonly ThreadHealth[],
  at: number,
  machine: MachineLoad | null = null,
): Sample {
  const {
    task,
    phase,
    counts,
    service,
    latency,
    clients,
    offered,
    backlog,
    failures,
    requests,
    scheduleLagMs,
  } = addSeconds(parts, mergeCounted);
  const generator: GeneratorHealth = {
    ...mergeHealth(healths),
    scheduleLagMs,
    ...(machine === null ? {} : { machine }),
  };
  return {
    ...{ task, at, phase, counts, service, latency, clients, offered, backlog, failures, requests },
    generator,
  };
}

/** Merges the delays that the load threads report. */
export function mergeDelays(parts: readonly InstrumentDelays[]): InstrumentDelays {
  const noticed = parts.flatMap((part) => part.noticed ?? []);
  return {
    held: mergeEncoded(parts.map(({ held }) => held)),
    noticed: noticed.length === 0 ? null : mergeEncoded(noticed),
  };
}

/** Merges the outcomes of a task that the load threads report. */
export function mergeOutcome(parts: readonly TaskOutcome[]): TaskOutcome {
  const first = parts[0]!;
  return {
    task: first.task,
    kind: first.kind,
    measured: parts.reduce((counts, part) => addCounts(counts, part.measured), noCounts()),
    cohort: parts.reduce((counts, part) => addCounts(counts, part.cohort), noCounts()),
    total: parts.reduce((counts, part) => addCounts(counts, part.total), noCounts()),
    elapsedMs: most(parts, ({ elapsedMs }) => elapsedMs),
    sourceEndedMs: sourceEnd(parts),
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
    ...retriesOf(parts),
    ...writesOf(parts),
    ...drawnOf(parts),
    ...answersOf(parts),
    replay: parts.every(({ replay }) => replay === null)
      ? null
      : parts.reduce((all, { replay }) => (replay === null ? all : addReplay(all, replay)), noReplay()),
    ...trafficOf(parts),
    senders: first.senders && {
      occupiedMs: sum(parts, ({ senders }) => senders?.occupiedMs ?? 0),
      waitedMs: sum(parts, ({ senders }) => senders?.waitedMs ?? 0),
    },
    parsers: mergeParsers(parts),
  };
}

function trafficOf(parts: readonly TaskOutcome[]): Pick<TaskOutcome, 'traffic'> {
  const all = parts.flatMap(({ traffic }) => traffic ?? []);
  return all.length === 0 ? {} : { traffic: all.reduce(addTraffic, noTraffic()) };
}

/**
 * Returns the time at which the last load thread reached the end of its source. Null if any of them has not reached it. Threads that sent
 * nothing do not count.
 */
function sourceEnd(parts: readonly TaskOutcome[]): number | null {
  const ends = parts
    .filter(({ total }) => total.attempted > 0)
    .map(({ sourceEndedMs }) => sourceEndedMs ?? null);
  return ends.length === 0 || ends.includes(null) ? null : Math.max(...ends.map((end) => end!));
}

/** Merges the results of parser threads. Null if no outcome contains any, as in the outcome of a single load thread. */
function mergeParsers(parts: readonly TaskOutcome[]): ParserFigures | null {
  const own = parts.flatMap(({ parsers }) => parsers ?? []);
  if (own.length <= 1) return own[0] ?? null;
  return {
    workers: sum(own, ({ workers }) => workers),
    account: own.reduce((all, { account }) => addParseAccount(all, account), noParseAccount()),
    times: own.reduce((all, { times }) => addParserTimes(all, times), noParserTimes()),
    senders: {
      occupiedMs: sum(own, ({ senders }) => senders.occupiedMs),
      waitedMs: sum(own, ({ senders }) => senders.waitedMs),
    },
  };
}

const retriesOf = (parts: readonly TaskOutcome[]): Pick<TaskOutcome, 'retries'> => {
  const own = parts.flatMap(({ retries }) => (retries === undefined ? [] : [retries]));
  return own.length === 0 ? {} : { retries: mergeFailures(own) };
};

const writesOf = (parts: readonly TaskOutcome[]): Pick<TaskOutcome, 'writes'> => {
  const own = parts.flatMap(({ writes }) => writes ?? []);
  return own.length === 0 ? {} : { writes: own.reduce(addWrites, noWrites()) };
};

const answersOf = (parts: readonly TaskOutcome[]): Pick<TaskOutcome, 'answers'> => {
  const own = parts.flatMap(({ answers }) => answers ?? []);
  return own.length === 0 ? {} : { answers: own.reduce(addAnswers, noAnswers()) };
};

const drawnOf = (parts: readonly TaskOutcome[]): Pick<TaskOutcome, 'drawn'> => {
  const own = parts.flatMap(({ drawn }) => drawn ?? []);
  return own.length === 0 ? {} : { drawn: mergeSketches(own) };
};

const lagOf = (parts: readonly TaskOutcome[]): Pick<TaskOutcome, 'lag'> => {
  const lags = parts.flatMap(({ lag }) => lag ?? []);
  return lags.length === 0 ? {} : { lag: mergeEncoded(lags) };
};
/** Merges the numbers of refused connections of all load threads, by the URLs of the nodes. */
export const mergeRefusedConnections = (
  nodes: readonly string[],
  parts: readonly (readonly RefusedConnections[])[],
): LoadOutcome['refusedConnections'] =>
  nodes.flatMap((url, place) => {
    const own = parts.flat().filter(({ node }) => node === place);
    if (own.length === 0) return [];
    return [
      { node: url, refused: sum(own, ({ refused }) => refused), moved: sum(own, ({ moved }) => moved) },
    ];
  });

/** Merges the reports of all load threads about one step of a search for the highest rate. */
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
