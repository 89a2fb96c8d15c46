/** Reads a file with traffic, and summarizes its requests: kinds, rates, shapes and sizes. */
import { Survey, type TrafficSurvey } from '../../../common/survey/survey';
import type { Loss } from '../../../common/traffic/loss';
import type { TrafficHeader } from '../../../common/traffic/record';
import { isOwn } from '../../traffic-file/own-file';
import { readTraffic, summarizeTraffic, type TrafficFormat } from '../../traffic-file/read-traffic';

export interface FileSurvey {
  format: TrafficFormat;
  header: TrafficHeader;
  survey: TrafficSurvey;
  losses: readonly Loss[];
  /** Whether the whole file was read. False if reading stopped after the maximum number of requests. */
  ended: boolean;
}

/**
 * Called with the progress. `read`: number of requests that were read so far. `of`: number of requests in the file; null if it is only
 * known at the end.
 */
export type OnRead = (read: number, of: number | null) => void;

/** Time between two calls of {@link OnRead}, in ms. */
const EVERY_MS = 250;

/**
 * Surveys (summarizes) a file with traffic. `most`: maximum number of requests that are read. Rejects with a DynoError (input) if the file
 * cannot be read or contains no traffic.
 */
export async function surveyFile(file: string, onRead: OnRead, most = Infinity): Promise<FileSurvey> {
  const { header, format, records, lost } = await readTraffic(file);
  const of = (await isOwn(file)) ? (await summarizeTraffic(file)).records : null;
  const survey = new Survey(header.startedAt);
  let read = 0;
  let ended = true;
  let reported = performance.now();
  for await (const record of records) {
    if (read === most) {
      ended = false;
      break;
    }
    survey.add(record);
    read += 1;
    if (performance.now() - reported < EVERY_MS) continue;
    reported = performance.now();
    onRead(read, of);
  }
  return { format, header, survey: survey.result(), losses: lost(), ended };
}
