/**
 * The wrapping that containers put around each line of a log: Docker's `json-file`, `{"log":"...\n","stream":"stdout","time":"..."}`, and
 * CRI of Kubernetes, `TIME stdout F ...`. Both cut long lines into parts.
 */
import { parsePlain } from '../../json/exact';
import { isObject } from '../constructs';

export interface Wrapping {
  stream: string;
  /** The line goes on in the next one of the same stream. */
  isPart: boolean;
}

const CRI =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}) (stdout|stderr) ([FP])(?::\w*)*(?: |$)/;
/** A line of Docker's begins with one of its keys. */
const DOCKER = /^\{\s*"(?:log|stream|time|attrs)"\s*:/;

const DOCKER_KEYS: ReadonlySet<string> = new Set(['log', 'stream', 'time', 'attrs']);

/** Characters of a line that {@link criWrapping} and {@link mayBeDocker} look at. */
export const BEGINNING = 80;

/** The wrapping of CRI at the beginning of a line, and its length in characters, each of one byte; null where there is none. */
export function criWrapping(beginning: string): (Wrapping & { length: number }) | null {
  const found = CRI.exec(beginning);
  return found === null ? null : { stream: found[1]!, isPart: found[2] === 'P', length: found[0].length };
}

/** Whether the beginning of a line looks like Docker's `json-file`. */
export const mayBeDocker = (beginning: string): boolean => DOCKER.test(beginning);

/** What a program wrote as one line, or a part of one, without the line feed; null for a line that is not Docker's. */
export function dockerLine(line: string): (Wrapping & { text: string }) | null {
  let entry: unknown;
  try {
    entry = parsePlain(line);
  } catch {
    return null;
  }
  if (!isObject(entry)) return null;
  const { log, stream } = entry;
  // Records of Fluent Bit have more keys, and are whole without a line feed at the end.
  if (!Object.keys(entry).every((key) => DOCKER_KEYS.has(key))) return null;
  if (typeof log !== 'string' || (stream !== 'stdout' && stream !== 'stderr')) return null;
  return { stream, text: log.replace(/\r?\n$/, ''), isPart: !log.endsWith('\n') };
}
