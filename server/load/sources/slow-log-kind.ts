/**
 * Chooses between the two kinds of entries in a slow log of OpenSearch: one entry per search request, or one entry per shard. A file with
 * both kinds contains each search twice. The first entry decides which kind is sent.
 */
import type { LogRules } from '../../../common/replay/judge';
import { isOfRequests } from '../../../common/replay/formats/slow-log-text';
import type { JudgedLine } from './judged-line';

export type SlowLogEntries = 'requests' | 'shards';

/**
 * Remembers which kind of entries is sent. Several load threads read the same log. Each thread must pass all entries to this class, so that
 * all threads choose the same kind.
 */
export class SlowLogKind {
  /** The chosen kind; null before the first entry. */
  chosen: SlowLogEntries | null = null;
  private readonly chooses: boolean;

  constructor({ format, everyShard }: LogRules) {
    this.chooses = !everyShard && (format === 'slow-log' || format === 'slow-log-text');
  }

  get isKnown(): boolean {
    return !this.chooses || this.chosen !== null;
  }

  /** Returns the line unchanged if it is of the chosen kind. Otherwise, marks it as a repetition, which is not sent. */
  judged(line: JudgedLine): JudgedLine {
    const kind = this.chooses ? kindOf(line) : null;
    if (kind === null) return line;
    this.chosen ??= kind;
    return kind === this.chosen ? line : { ...line, judged: { kind: 'repeated', ofOther: kind } };
  }
}

/** Returns the kind of a line; null if it has no kind, for example because it cannot be read. */
function kindOf({ judged, text }: JudgedLine): SlowLogEntries | null {
  if (isOfRequests(text)) return 'requests';
  return judged.kind === 'malformed' || judged.kind === 'otherType' ? null : 'shards';
}
