/**
 * Removes the wrapping that container runtimes put around each line of a log. Both formats split long lines into parts.
 * - Docker's `json-file`: `{"log":"...\n","stream":"stdout","time":"..."}`
 * - CRI of Kubernetes: `TIME stdout F ...`
 */
import { parsePlain } from '../../json/exact';
import { isObject } from '../constructs';

export interface Wrapping {
  stream: string;
  /** Whether this line is only a part, which the next line of the same stream continues. */
  isPart: boolean;
}

const CRI =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}) (stdout|stderr) ([FP])(?::\w*)*(?: |$)/;
/** Matches a line of Docker's `json-file`, which begins with one of its keys. */
const DOCKER = /^\{\s*"(?:log|stream|time|attrs)"\s*:/;

const DOCKER_KEYS: ReadonlySet<string> = new Set(['log', 'stream', 'time', 'attrs']);

/** Number of characters at the beginning of a line that {@link criWrapping} and {@link mayBeDocker} examine. */
export const BEGINNING = 80;

/**
 * Returns the CRI prefix (time, stream and tag) of a line in a container log; null for other lines. `length`: length of the prefix in
 * characters, which is also its length in bytes.
 */
export function criWrapping(beginning: string): (Wrapping & { length: number }) | null {
  const found = CRI.exec(beginning);
  return found === null ? null : { stream: found[1]!, isPart: found[2] === 'P', length: found[0].length };
}

/** Whether the beginning of a line looks like Docker's `json-file`. */
export const mayBeDocker = (beginning: string): boolean => DOCKER.test(beginning);

/**
 * Returns the line, or the part of a line, that the program in the container wrote, without its line feed. Null if the line is not in
 * Docker's format.
 */
export function dockerLine(line: string): (Wrapping & { text: string }) | null {
  let entry: unknown;
  try {
    entry = parsePlain(line);
  } catch {
    return null;
  }
  if (!isObject(entry)) return null;
  const { log, stream } = entry;
  // Records of Fluent Bit have additional keys, and complete lines in them do not end with a line feed.
  if (!Object.keys(entry).every((key) => DOCKER_KEYS.has(key))) return null;
  if (typeof log !== 'string' || (stream !== 'stdout' && stream !== 'stderr')) return null;
  return { stream, text: log.replace(/\r?\n$/, ''), isPart: !log.endsWith('\n') };
}
