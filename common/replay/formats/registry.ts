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

/** The format for which a line, blanks around it removed, is strong evidence; undefined for a line of anything else. */
export const formatOfLine = (line: string): LogFormat | undefined =>
  FORMATS.find((format) => format.owns(line))?.name;
