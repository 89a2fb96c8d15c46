/** Reads files of traffic, whatever their format is. */
import { asTraffic } from '../../common/files/refusals';
import type { Recognised } from '../../common/files/recognise';
import { DynoError, inputError, messageOf } from '../../common/problem';
import { Losses, type Loss } from '../../common/traffic/loss';
import type { TrafficHeader, TrafficRecord } from '../../common/traffic/record';
import { recogniseFile } from '../load/sources/file-head';
import { assemble } from './foreign/assemble';
import type { Observed } from './foreign/observed';
import { foreignReader, type ForeignFormat } from './foreign/registry';
import { isOwn, openOwn } from './own-file';
import { openLines } from './own-lines';

/** `dyno`: Dyno's own form. */
export type TrafficFormat = 'dyno' | ForeignFormat;

export interface TrafficFile {
  header: TrafficHeader;
  format: TrafficFormat;
  /**
   * The records in ascending order of their times; the records of a connection keep their order. They are read while they are iterated,
   * and can be iterated once. To read them again, call {@link readTraffic} again.
   */
  records: AsyncIterable<TrafficRecord>;
  /** Returns what could not be read so far, or was left out. Complete after the last record. */
  lost(): readonly Loss[];
}

/**
 * Returns the format of recorded requests by the first lines of a file; null for other files, and for logs of searches. Rejects with a
 * DynoError (input) if the file cannot be read.
 */
export async function recordedFormat(file: string): Promise<Exclude<TrafficFormat, 'slow-log'> | null> {
  if (await isOwn(file)) return 'dyno';
  return (await recogniseFile(file)).traffic ?? null;
}

/**
 * Opens a file of traffic: a recording of Dyno, a HAR, a file of GoReplay, an audit log, or a log of searches. The first file of a
 * recording reads all of its files. Rejects with a DynoError (input) if the file cannot be read or is not traffic.
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
      found: losses
        .list()
        .map(({ text }) => text)
        .join('; '),
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

/** Yields what a reader yields. If the file is damaged in the middle, the rest is counted as lost. */
async function* untilDamage(
  batches: AsyncIterable<readonly Observed[]>,
  losses: Losses,
): AsyncGenerator<readonly Observed[]> {
  try {
    yield* batches;
  } catch (error) {
    // The reader itself refuses the file.
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
  /** Time of the last record, in µs after the start. */
  lastAt: number;
  /** Losses that are known without reading the records. */
  lost: readonly Loss[];
}

/** Describes a recording in Dyno's own form quickly, from its index. Rejects with a DynoError (input) for other files. */
export async function summarizeTraffic(file: string): Promise<TrafficSummary> {
  const { header, files, bytes, count, lastAt, losses } = await openOwn(file);
  return { header, files, bytes, records: count, lastAt, lost: losses.list() };
}
