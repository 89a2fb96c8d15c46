/**
 * Chooses between two kinds of entries. OpenSearch logs slow searches by request and by shard. A file with both kinds contains each search
 * twice, so only entries of the kind of the first one are sent.
 */
import type { LogRules } from '../../../common/replay/judge';
import { isOfRequests } from '../../../common/replay/formats/slow-log-text';
import type { JudgedLine } from './judged-line';

export type SlowLogEntries = 'requests' | 'shards';

/** The kind of a log's entries. All readers of a log must pass the same entries, from the first one on, until the kind is known. */
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

  /** Returns the entry unchanged, or counted as repeated if it is of the other kind. */
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
