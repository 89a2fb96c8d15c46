/** Counts failures of documents (or requests) by type, and within a type by reason. */
import { printable } from '../text/printable';

/** One reason: how often it occurred, and the text of one example. */
export interface FailureReason {
  count: number;
  example: string;
}

export interface Failure extends FailureReason {
  /**
   * All reasons of this type of failure, if there are several; absent if there is only one. `example` of the type is the example of the
   * first reason. Also absent in results of older versions of Dyno.
   */
  reasons?: FailureReason[];
}

/**
 * Failures by type, such as `es_rejected_execution_exception`, `timeout` or `connection`. For transactions, the key also contains the name
 * of the request that failed.
 */
export type Failures = Record<string, Failure>;

/** Maximum length of a stored example, in characters. */
const LONGEST_EXAMPLE = 300;
/** Maximum number of distinct reasons stored for a type of failure; all others are counted together. */
const MOST_REASONS = 20;
/** Maximum number of distinct types of failures stored; all others are counted together. */
const MOST_TYPES = 50;
const OTHER_REASONS = 'other reasons';
const OTHER_TYPES = 'other';

/**
 * Matches the parts of a message that vary although the reason is the same. These are document ids or positions in brackets at its
 * beginning, quoted values, and words that contain a digit (ids, sizes, times). Names of fields, types and the like are not matched,
 * because they distinguish reasons.
 */
const PARTS =
  /\b((?:sub)?fields?|type|mapper|mapping for|name|setting|parameter|index|pipeline|processor) (?:name )?\[[^\]]*\]|^(?:\[[^\]]*\]\s*)+|(?<!\w)'.*?'(?!\w)|"[^"]*"|[\w-]*\d[\w.:+-]*/g;

/**
 * Returns the message of an error, in which `#` replaces the parts that vary. All messages with the same reason therefore result in the
 * same text.
 */
export const patternOf = (example: string): string =>
  example.replace(PARTS, (part: string, kept: string | undefined) => (kept === undefined ? '#' : part));

/** An example of a failure: the text as received (`written`), the text as stored (`shown`), and its pattern. */
interface Read {
  written: string;
  shown: string;
  pattern: string;
}

/**
 * The example that was processed last. Several counters often get the same failure one after the other, and it is then processed only once.
 */
let last: Read = { written: '', shown: '', pattern: '' };

function read(written: string): Read {
  if (written === last.written) return last;
  const shown = printable(written.slice(0, LONGEST_EXAMPLE));
  last = { written, shown, pattern: patternOf(shown) };
  return last;
}

export class FailureCounter {
  /** Counted reasons, by type and then by {@link patternOf}. */
  private readonly types = new Map<string, Map<string, FailureReason>>();

  get isEmpty(): boolean {
    return this.types.size === 0;
  }

  add(type: string, count: number, example: string): void {
    const own = this.reasonsOf(type);
    const { shown, pattern } = read(example);
    const isOther = !own.has(pattern) && own.size >= MOST_REASONS;
    const key = isOther ? OTHER_REASONS : pattern;
    const known = own.get(key);
    if (known === undefined) own.set(key, { count, example: isOther ? OTHER_REASONS : shown });
    else known.count += count;
  }

  addAll(failures: Failures): void {
    for (const [type, failure] of Object.entries(failures))
      for (const { count, example } of reasonsOf(failure)) this.add(type, count, example);
  }

  /** Returns a copy of the counts so far, without changing them. Types and reasons are in the order of their first occurrence. */
  take(): Failures {
    return Object.fromEntries(
      [...this.types].map(([type, own]): [string, Failure] => {
        const reasons = [...own.values()].map((reason) => ({ ...reason }));
        const count = reasons.reduce((sum, reason) => sum + reason.count, 0);
        return [type, { count, example: reasons[0]!.example, ...(reasons.length > 1 ? { reasons } : {}) }];
      }),
    );
  }

  clear(): void {
    this.types.clear();
  }

  private reasonsOf(type: string): Map<string, FailureReason> {
    const shown = printable(type.slice(0, LONGEST_EXAMPLE));
    const name = this.types.has(shown) || this.types.size < MOST_TYPES ? shown : OTHER_TYPES;
    const known = this.types.get(name);
    if (known !== undefined) return known;
    const own = new Map<string, FailureReason>();
    this.types.set(name, own);
    return own;
  }
}

/** Returns the reasons of a type, at least one. */
export const reasonsOf = ({ count, example, reasons }: Failure): readonly FailureReason[] =>
  reasons ?? [{ count, example }];

/** Adds up several counts of failures. */
export function mergeFailures(parts: readonly Failures[]): Failures {
  const all = new FailureCounter();
  for (const part of parts) all.addAll(part);
  return all.take();
}
