/**
 * Tests that no precision is lost when several processes generate load. Each records times, which are packed into messages and merged into
 * samples and the outcome. The test compares them with one histogram of all times.
 */
import { noCounts } from '../../common/measurement/counts';
import {
  createHistogram,
  decodeHistogram,
  encodeHistogram,
  mergeHistograms,
  PERCENTILES,
  recordMs,
  summariseHistogram,
  type Histogram,
} from '../../common/measurement/histogram';
import type { Sample } from '../../common/measurement/sample';
import { createRandom, deriveSeed } from '../../common/random';
import type { TaskOutcome } from '../load/contract';
import { joinSeconds, mergeHealth, mergeOutcome } from '../load/samples/merge';
import { Phases } from '../load/timing/phases';
import { TaskRecorder } from '../load/samples/recorder';
import { SampleMerger } from '../load/samples/sample-merger';
import { reports } from './codec';

const SEATS = 3;
const THREADS = 2;
const SECONDS = 4;
const PER_SECOND = 1000;

/** All recorded times of the requests as single values in ms, for comparison. */
interface Raw {
  service: number[];
  latency: number[];
  /** Times in `latency` of requests that were due within the load. */
  measured: number[];
  named: number[];
}

const raw: Raw = { service: [], latency: [], measured: [], named: [] };
const merged = {} as { samples: Sample[]; outcome: TaskOutcome };

/**
 * Draws a time of a request, in ms: usually short, sometimes very long, sometimes outside the range of a histogram. `seat`: number of the
 * process; the higher it is, the longer the times are.
 */
function timeOf(random: { unit(): number }, seat: number): number {
  const kind = random.unit();
  if (kind < 0.001) return random.unit() * 1e-4;
  if (kind < 0.002) return 3_700_000 * random.unit();
  return (seat + 1) * 0.3 * Math.exp(3 * random.unit() ** 2 + 6 * random.unit() ** 20);
}

/** Records the times of one thread, and returns its report at the end. */
function thread(seat: number, number: number) {
  const random = createRandom(deriveSeed(5, seat, number));
  const recorder = new TaskRecorder('search', new Phases(0, SECONDS * 1000), () => ({
    clients: 1,
    offered: PER_SECOND,
    backlog: 0,
  }));
  for (let request = 0; request < SECONDS * PER_SECOND; request += 1) {
    const at = (request * 1000) / PER_SECOND;
    const [service, latency] = [timeOf(random, seat), timeOf(random, seat)];
    // For two given moments, the recorder records the time between them.
    recorder.served(at, at - service, at);
    recorder.unanswered(at, at);
    raw.service.push(at - (at - service));
    const due = at - latency;
    recorder.completed(at, due);
    raw.latency.push(at - due);
    if (due >= 0) raw.measured.push(at - due);
    recorder.named(at, at, random.unit() < 0.5 ? 'odd' : 'even', service, latency, false);
    raw.named.push(service);
  }
  const seconds = recorder.takeLast(SECONDS * 1000);
  const rest = { task: 'search', kind: 'search', elapsedMs: SECONDS * 1000, offered: null, sent: null };
  const outcome: TaskOutcome = {
    ...recorder.outcome(),
    ...rest,
    ...{ unsent: 0, replay: null, senders: null, parsers: null },
  };
  return { seconds, outcome };
}

beforeAll(() => {
  const merger = new SampleMerger(
    SEATS,
    () => 0,
    (sample) => (merged.samples ??= []).push(sample),
  );
  const health = { cpuMs: 0, utilisation: 0, eventLoopDelayMs: 0 };
  const outcomes: TaskOutcome[] = [];
  for (let seat = 0; seat < SEATS; seat += 1) {
    const threads = Array.from({ length: THREADS }, (_, number) => thread(seat, number));
    const posted = threads[0]!.seconds.map((_, second) => ({
      kind: 'report' as const,
      load: 1,
      message: {
        kind: 'seconds' as const,
        seconds: [joinSeconds(threads.map(({ seconds }) => seconds[second]!))],
        health: mergeHealth([health]),
        machine: null,
      },
    }));
    const report = {
      kind: 'report' as const,
      load: 1,
      message: {
        kind: 'outcome' as const,
        outcome: {
          tasks: [mergeOutcome(threads.map(({ outcome }) => outcome))],
          ...{ measureEndedAt: 0, drainedAt: 0, workers: THREADS, lateMs: 0, refusedConnections: [] },
          delays: { held: encodeHistogram(createHistogram()), noticed: null },
        },
      },
    };
    for (const message of reports.unpack(reports.pack([...posted, report]))) {
      if (message.kind !== 'report') continue;
      const { message: report } = message;
      if (report.kind === 'seconds')
        merger.add(seat, report.seconds, { threads: report.health, machine: null });
      if (report.kind === 'outcome') outcomes.push(report.outcome.tasks[0]!);
    }
  }
  merged.outcome = mergeOutcome(outcomes);
});

const ofAll = (times: readonly number[]): Histogram => {
  const histogram = createHistogram();
  for (const time of times) recordMs(histogram, time);
  return histogram;
};

/** Returns all values that Dyno reads from a histogram, even if it has few values. */
const figures = (histogram: Histogram): unknown => ({
  ...summariseHistogram(histogram, 0),
  percentiles: PERCENTILES.map(({ percentile }) => histogram.getValueAtPercentile(percentile)),
});

const ofSamples = (pick: (sample: Sample) => string): Histogram =>
  mergeHistograms(merged.samples.map((sample) => decodeHistogram(pick(sample))));

test('the samples of all seconds together equal one histogram of all raw times', () => {
  expect(merged.samples).toHaveLength(SECONDS + 1);
  expect(merged.samples.at(-1)!.counts).toEqual(noCounts());
  expect(figures(ofSamples(({ service }) => service))).toEqual(figures(ofAll(raw.service)));
  expect(figures(ofSamples(({ latency }) => latency))).toEqual(figures(ofAll(raw.latency)));
});

test('the outcome of all seats equals it too, as a whole and by request name', () => {
  const { service, latency, unanswered, requests } = merged.outcome;
  expect(figures(decodeHistogram(service))).toEqual(figures(ofAll(raw.service)));
  expect(figures(decodeHistogram(latency))).toEqual(figures(ofAll(raw.measured)));
  expect(decodeHistogram(unanswered).totalCount).toBe(SEATS * THREADS * SECONDS * PER_SECOND);
  const named = mergeHistograms(Object.values(requests).map((request) => decodeHistogram(request.service)));
  expect(figures(named)).toEqual(figures(ofAll(raw.named)));
});

test('percentiles of the merged times equal those of the sorted raw times, to three significant digits', () => {
  const sorted = [...raw.service].sort((a, b) => a - b);
  const histogram = ofSamples(({ service }) => service);
  for (const { percentile } of PERCENTILES) {
    const truth = sorted[Math.ceil((sorted.length * percentile) / 100) - 1]!;
    const found = histogram.getValueAtPercentile(percentile) / 1000;
    expect(Math.abs(found - truth)).toBeLessThanOrEqual(Math.max(0.001, truth / 1000));
  }
});
