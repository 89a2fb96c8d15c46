/** Reads files of traffic in any format. */
import { asTraffic } from '../../common/files/refusals';
import type { Recognised } from '../../common/files/recognise';
import { DynoError, inputError, messageOf } from '../../common/problem';
import { Losses, lossText, type Loss } from '../../common/traffic/loss';
import type { TrafficHeader, TrafficRecord } from '../../common/traffic/record';
import { recogniseFile } from '../load/sources/file-head';
import { assemble } from './foreign/assemble';
import type { Observed } from './foreign/observed';
import { foreignReader, type ForeignFormat } from './foreign/registry';
import { isOwn, openOwn } from './own-file';
import { openLines } from './own-lines';

/** Format of a file with traffic. `dyno`: the format of Dyno's recordings (`form/members.ts`). All others: formats of other tools. */
export type TrafficFormat = 'dyno' | ForeignFormat;

export interface TrafficFile {
  header: TrafficHeader;
  format: TrafficFormat;
  /**
   * The records in ascending order of their times. The records of a connection keep their order. The file is read during the iteration,
   * which is possible only once. To read the records again, call {@link readTraffic} again.
   */
  records: AsyncIterable<TrafficRecord>;
  /** Returns the losses so far: what could not be read from the file, or was left out. Complete after the last record. */
  lost(): readonly Loss[];
}

/**
 * Returns the format of recorded requests, which the first lines of the file show. Null for logs of searches and for other files. Rejects
 * with a DynoError (input) if the file cannot be read.
 */
export async function recordedFormat(file: string): Promise<Exclude<TrafficFormat, 'slow-log'> | null> {
  if (await isOwn(file)) return 'dyno';
  return (await recogniseFile(file)).traffic ?? null;
}

/**
 * Opens a file with traffic: a recording of Dyno, a HAR, a file of GoReplay, an audit log, or a log of searches. `file`: for a recording of
 * several files, the path of the first one. Rejects with a DynoError (input) if the file cannot be read or contains no traffic.
 */
export async function readTraffic(file: string): Promise<TrafficFile> {
  if (await isOwn(file)) {
    const { header, records, losses } = await openOwn(file);
    return { header, format: 'dyno', records: records(), lost: () => losses.list() };
  }
  const found = await recogniseFile(file);
  if (found.kind === 'traffic' && found.traffic === 'dyno') {
    const { header, records, losses } = await openLines(file);
    return { header, format: 'dyno', records: records(), lost: () => losses.list() };
  }
  const reader = foreignReader(found);
  if (reader === null) throw notTraffic(found, file);
  const { format } = reader;
  const losses = new Losses();
  const assembled = await assemble(untilDamage(reader.read(file, losses), losses), losses);
  if (assembled === null)
    throw inputError('traffic.empty', file, 'contains no request that can be read', {
      found: losses.list().map(lossText).join('; ') || 'no entry',
    });
  const { startedAt, records } = assembled;
  const header: TrafficHeader = {
    ...{ 'dyno-traffic': 1, startedAt, origin: format, share: 1 },
    ...{ part: 1, droppedBefore: 0 },
  };
  return { header, format, records, lost: () => losses.list() };
}

const notTraffic = (found: Recognised, file: string): DynoError =>
  new DynoError('input', [{ code: 'traffic.kind', path: file, ...asTraffic(found) }]);

/** Yields the requests that `batches` reads. If the file is damaged, ends at the damage and counts one loss. */
async function* untilDamage(
  batches: AsyncIterable<readonly Observed[]>,
  losses: Losses,
): AsyncGenerator<readonly Observed[]> {
  try {
    yield* batches;
  } catch (error) {
    // The reader refuses the file for another reason than damage.
    if (error instanceof DynoError) throw error;
    losses.add('cut', 1, messageOf(error));
  }
}

export interface TrafficSummary {
  header: TrafficHeader;
  /** Paths of all files of the recording. */
  files: readonly string[];
  /** Size of all files, in bytes. */
  bytes: number;
  /** Number of records. */
  records: number;
  /** Time of the last record, in µs after the start of the recording. */
  lastAt: number;
  /** Losses that are known from the index. */
  lost: readonly Loss[];
}

/**
 * Returns a summary of a recording of Dyno. It is fast, because it reads only the index. Rejects with a DynoError (input) for other files.
 */
export async function summarizeTraffic(file: string): Promise<TrafficSummary> {
  const { header, files, bytes, count, lastAt, losses } = await openOwn(file);
  return { header, files, bytes, records: count, lastAt, lost: losses.list() };
}
