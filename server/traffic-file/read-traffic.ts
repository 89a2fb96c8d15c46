/** Reads files of traffic, whatever their format is. */
import type { Loss } from '../../common/traffic/loss';
import type { TrafficHeader, TrafficRecord } from '../../common/traffic/record';
import { openOwn } from './own-file';

/** `dyno`: Dyno's own form. */
export type TrafficFormat = 'dyno';

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
 * Opens a file of traffic. The first file of a recording stands for all of its files. Rejects with a DynoError (input) if the file cannot
 * be read or is not traffic.
 */
export async function readTraffic(file: string): Promise<TrafficFile> {
  const { header, records, losses } = await openOwn(file);
  return { header, format: 'dyno', records: records(), lost: () => losses.list() };
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
  /** What is known to be missing, without reading the records. */
  lost: readonly Loss[];
}

/** Describes a recording in Dyno's own form quickly, from its index. Rejects as {@link readTraffic} does. */
export async function summarizeTraffic(file: string): Promise<TrafficSummary> {
  const { header, files, bytes, count, lastAt, losses } = await openOwn(file);
  return { header, files, bytes, records: count, lastAt, lost: losses.list() };
}
