/** Registry of the formats of search logs, for definitions, commands and the load generator. */
import type { LogFormatDescription, ReadLine } from './format';
import { ndjson } from './ndjson';
import { queryLog } from './query-log';
import { slowLog } from './slow-log';
import { slowLogText } from './slow-log-text';

const FORMATS = [queryLog, slowLog, slowLogText, ndjson] as const;

export type LogFormat = (typeof FORMATS)[number]['name'];
export const LOG_FORMATS = FORMATS.map(({ name }) => name) as [LogFormat, ...LogFormat[]];

const BY_NAME: ReadonlyMap<LogFormat, LogFormatDescription> = new Map(
  FORMATS.map((format) => [format.name, format]),
);

export const logFormat = (name: LogFormat): LogFormatDescription => BY_NAME.get(name)!;

/** Reads an entry of a log. `all`: whether each line of a slow log, for every shard and phase, counts as a separate search. */
export const readLine = (format: LogFormat, line: string, all = false): ReadLine =>
  logFormat(format).read(line, all);

/** Returns the format for which a trimmed line is strong evidence; undefined for other lines. */
export const formatOfLine = (line: string): LogFormat | undefined =>
  FORMATS.find((format) => format.owns(line))?.name;
