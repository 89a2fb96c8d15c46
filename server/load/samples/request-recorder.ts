/** Records the results of a task's named requests: per second for samples, and over the measured phase for the outcome. */
import {
  countedValues,
  createHistogram,
  encodeHistogram,
  recordMs,
  type CountedValues,
  type Histogram,
} from '../../../common/measurement/histogram';
import { noFigure, noteFigure, type AnswerFigureRecord } from '../../../common/measurement/answer-figure';
import { noRecall, noteRecall, type RecallRecord } from '../../../common/measurement/recall';
import type { RequestRecord } from '../../../common/measurement/sample';

/** Results of all requests with the same name in one interval, such as a second. The object is reused for the next interval. */
interface Kept {
  count: number;
  failed: number;
  service: Histogram;
  /** Histogram of the latencies. Null before the first latency. Parts of transactions have no latency. */
  latency: Histogram | null;
  /** Recall of the responses. Null until the recall of a response has been determined. */
  recall: RecallRecord | null;
  /** Numbers that the definition wants to read from responses, by name. Null until a response has contained one of them. */
  figures: Record<string, AnswerFigureRecord> | null;
}

const nothingKept = (): Kept => ({
  count: 0,
  failed: 0,
  service: createHistogram(),
  latency: null,
  recall: null,
  figures: null,
});

const recordOf = <Times>(
  { count, failed, service, latency, recall, figures }: Kept,
  take: (times: Histogram) => Times,
): RequestRecord<Times> => ({
  count,
  failed,
  service: take(service),
  latency: latency === null ? null : take(latency),
  ...(recall === null ? {} : { recall }),
  ...(figures === null ? {} : { figures }),
});

export class RequestRecorder {
  private readonly second = new Map<string, Kept>();
  private readonly phase = new Map<string, Kept>();

  /**
   * Records the end of a request. Times are in ms. `serviceMs` is null for a request that got no connection. `latencyMs` is null for a part
   * of a transaction, which has no latency. `measured`: whether the request belongs to the measured phase.
   */
  ended(
    name: string,
    serviceMs: number | null,
    latencyMs: number | null,
    failed: boolean,
    measured: boolean,
  ): void {
    note(keptOf(this.second, name), serviceMs, latencyMs, failed);
    if (measured) note(keptOf(this.phase, name), serviceMs, latencyMs, failed);
  }

  /** Records which share of the true neighbours a response contains. */
  recalled(
    name: string,
    { k, queries }: Pick<RecallRecord, 'k' | 'queries'>,
    share: number,
    measured: boolean,
  ): void {
    noteRecall((keptOf(this.second, name).recall ??= noRecall(k, queries)), share);
    if (measured) noteRecall((keptOf(this.phase, name).recall ??= noRecall(k, queries)), share);
  }

  /** Records a number from a response of the measured phase. */
  figured(name: string, figure: string, value: number): void {
    const figures = (keptOf(this.phase, name).figures ??= {});
    noteFigure((figures[figure] ??= noFigure()), value);
  }

  /** Returns the results since the last call. */
  takeSecond(): Record<string, RequestRecord<CountedValues>> {
    const taken: Record<string, RequestRecord<CountedValues>> = {};
    for (const [name, kept] of this.second) {
      if (kept.count === 0) continue;
      taken[name] = recordOf(kept, countedValues);
      kept.count = 0;
      kept.failed = 0;
      kept.service.reset();
      kept.latency?.reset();
      kept.recall = null;
    }
    return taken;
  }

  /** Returns the results of the measured phase. */
  outcome(): Record<string, RequestRecord> {
    return Object.fromEntries([...this.phase].map(([name, kept]) => [name, recordOf(kept, encodeHistogram)]));
  }
}

function keptOf(all: Map<string, Kept>, name: string): Kept {
  let kept = all.get(name);
  if (kept === undefined) {
    kept = nothingKept();
    all.set(name, kept);
  }
  return kept;
}

function note(kept: Kept, serviceMs: number | null, latencyMs: number | null, failed: boolean): void {
  kept.count += 1;
  if (failed) kept.failed += 1;
  if (serviceMs !== null) recordMs(kept.service, serviceMs);
  if (latencyMs !== null) recordMs((kept.latency ??= createHistogram()), latencyMs);
}
