/** Why documents (or requests) were not accepted: counts by type, and within a type by reason. */
import { printable } from '../text/printable';

/** One reason: how often it was given, and one example of it as it was written. */
export interface FailureReason {
  count: number;
  example: string;
}

export interface Failure extends FailureReason {
  /** Where a type has several reasons; the first has the example of the type. Results of older versions of Dyno lack it. */
  reasons?: FailureReason[];
}

/** By type, such as `es_rejected_execution_exception`, `timeout` or `connection`; of a transaction each part that failed. */
export type Failures = Record<string, Failure>;

/** Characters that are kept of an example. */
const LONGEST_EXAMPLE = 300;
/** Distinct reasons that are kept of a type; all others are counted together. */
const MOST_REASONS = 20;
/** Distinct types that are kept; all others are counted together. */
const MOST_TYPES = 50;
const OTHER_REASONS = 'other reasons';
const OTHER_TYPES = 'other';

/**
 * What varies within a reason: positions and document ids in front, quoted values, and words with a digit (ids, sizes,
 * times). Names of fields, types and the like stay, whatever they are made of: they tell reasons apart.
 */
const PARTS =
  /\b((?:sub)?fields?|type|mapper|mapping for|name|setting|parameter|index|pipeline|processor) (?:name )?\[[^\]]*\]|^(?:\[[^\]]*\]\s*)+|(?<!\w)'.*?'(?!\w)|"[^"]*"|[\w-]*\d[\w.:+-]*/g;

/** What examples of one reason have in common. */
export const patternOf = (example: string): string =>
  example.replace(PARTS, (part: string, kept: string | undefined) => (kept === undefined ? '#' : part));

/** An example as it is kept, with its pattern. */
interface Read {
  written: string;
  shown: string;
  pattern: string;
}

/** The last one that was read: a failure is often counted in several places, one after another. */
let last: Read = { written: '', shown: '', pattern: '' };

function read(written: string): Read {
  if (written === last.written) return last;
  const shown = printable(written.slice(0, LONGEST_EXAMPLE));
  last = { written, shown, pattern: patternOf(shown) };
  return last;
}

/** Counts failures as they come. */
export class FailureCounter {
  /** By type, then by {@link patternOf}. */
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

  /** A copy of what was counted so far, in the order of the first of each. */
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

/** The reasons of a type, one at least. */
export const reasonsOf = ({ count, example, reasons }: Failure): readonly FailureReason[] =>
  reasons ?? [{ count, example }];

/** All of them together. */
export function mergeFailures(parts: readonly Failures[]): Failures {
  const all = new FailureCounter();
  for (const part of parts) all.addAll(part);
  return all.take();
}
