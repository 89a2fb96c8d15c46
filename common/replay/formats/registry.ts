/** The formats of logs of searches: definitions, the command and the load know of them through this list. */
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

/** `all`: slow logs give a line of each shard and phase. */
export const readLine = (format: LogFormat, line: string, all = false): ReadLine =>
  logFormat(format).read(line, all);

/** The formats that the first lines of a log, none of them blank, look like: one, several or none. */
export const detectedFormats = (lines: readonly string[]): LogFormat[] =>
  lines.length === 0 ? [] : FORMATS.filter((format) => format.detects(lines)).map(({ name }) => name);
