/** What the named requests of a task did: by the second for the samples, and over the measured phase for the outcome. */
import {
  createHistogram,
  encodeHistogram,
  recordMs,
  type CountedValues,
  type Histogram,
} from '../../common/measurement/histogram';
import { noFigure, noteFigure, type AnswerFigureRecord } from '../../common/measurement/answer-figure';
import { noRecall, noteRecall, type RecallRecord } from '../../common/measurement/recall';
import type { RequestRecord } from '../../common/measurement/sample';
import { SecondTimes } from './second-times';

/** Of one name in one stretch of time; made once and emptied after it. `Times`: how its times are kept. */
interface Kept<Times> {
  count: number;
  failed: number;
  service: Times;
  /** Made with the first latency: parts of transactions have none. */
  latency: Times | null;
  /** Made with the first answer that is judged. */
  recall: RecallRecord | null;
  /** Made with the first answer that has one. */
  figures: Record<string, AnswerFigureRecord> | null;
}

/** How the times of a stretch are kept. */
interface Keeping<Times> {
  create(): Times;
  record(times: Times, ms: number): void;
}

const OF_SECOND: Keeping<SecondTimes> = {
  create: () => new SecondTimes(),
  record: (times, ms) => {
    times.record(ms);
  },
};
const OF_PHASE: Keeping<Histogram> = { create: createHistogram, record: recordMs };

const nothingKept = <Times>({ create }: Keeping<Times>): Kept<Times> => ({
  count: 0,
  failed: 0,
  service: create(),
  latency: null,
  recall: null,
  figures: null,
});

const recordOf = <Times, Taken>(
  { count, failed, service, latency, recall, figures }: Kept<Times>,
  take: (times: Times) => Taken,
): RequestRecord<Taken> => ({
  count,
  failed,
  service: take(service),
  latency: latency === null ? null : take(latency),
  ...(recall === null ? {} : { recall }),
  ...(figures === null ? {} : { figures }),
});

export class RequestRecorder {
  private readonly second = new Map<string, Kept<SecondTimes>>();
  private readonly phase = new Map<string, Kept<Histogram>>();

  /**
   * One request ended. Times in ms: null where its connection was lost, or where it has no latency of its own.
   * `measured`: it belongs to the measured phase.
   */
  ended(
    name: string,
    serviceMs: number | null,
    latencyMs: number | null,
    failed: boolean,
    measured: boolean,
  ): void {
    note(this.second, OF_SECOND, name, serviceMs, latencyMs, failed);
    if (measured) note(this.phase, OF_PHASE, name, serviceMs, latencyMs, failed);
  }

  /** An answer of a request held this share of the true neighbours. */
  recalled(
    name: string,
    { k, queries }: Pick<RecallRecord, 'k' | 'queries'>,
    share: number,
    measured: boolean,
  ): void {
    noteRecall((keptOf(this.second, OF_SECOND, name).recall ??= noRecall(k, queries)), share);
    if (measured) noteRecall((keptOf(this.phase, OF_PHASE, name).recall ??= noRecall(k, queries)), share);
  }

  /** An answer of the measured phase has this number. */
  figured(name: string, figure: string, value: number): void {
    const figures = (keptOf(this.phase, OF_PHASE, name).figures ??= {});
    noteFigure((figures[figure] ??= noFigure()), value);
  }

  /** What ended since the last call. */
  takeSecond(): Record<string, RequestRecord<CountedValues>> {
    const taken: Record<string, RequestRecord<CountedValues>> = {};
    for (const [name, kept] of this.second) {
      if (kept.count === 0) continue;
      taken[name] = recordOf(kept, (times) => times.take());
      kept.count = 0;
      kept.failed = 0;
      kept.recall = null;
    }
    return taken;
  }

  /** Everything of the measured phase. */
  outcome(): Record<string, RequestRecord> {
    return Object.fromEntries([...this.phase].map(([name, kept]) => [name, recordOf(kept, encodeHistogram)]));
  }
}

function keptOf<Times>(all: Map<string, Kept<Times>>, keeping: Keeping<Times>, name: string): Kept<Times> {
  let kept = all.get(name);
  if (kept === undefined) {
    kept = nothingKept(keeping);
    all.set(name, kept);
  }
  return kept;
}

function note<Times>(
  all: Map<string, Kept<Times>>,
  keeping: Keeping<Times>,
  name: string,
  serviceMs: number | null,
  latencyMs: number | null,
  failed: boolean,
): void {
  const kept = keptOf(all, keeping, name);
  kept.count += 1;
  if (failed) kept.failed += 1;
  if (serviceMs !== null) keeping.record(kept.service, serviceMs);
  if (latencyMs !== null) keeping.record((kept.latency ??= keeping.create()), latencyMs);
}
