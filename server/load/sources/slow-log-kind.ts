/**
 * Chooses one of two kinds of entries. OpenSearch logs slow searches by request and by shard. A file with both contains each search twice, so
 * only the kind of its first entry is sent.
 */
import type { LogRules } from '../../../common/replay/judge';
import { isOfRequests } from '../../../common/replay/formats/slow-log-text';
import type { JudgedLine } from './judged-line';

export type SlowLogEntries = 'requests' | 'shards';

/** The kind of a log's entries. Every reader of the log must pass the same entries, beginning with the first one, until the kind is known. */
export class SlowLogKind {
  /** Null until the first entry. */
  chosen: SlowLogEntries | null = null;
  private readonly chooses: boolean;

  constructor({ format, everyShard }: LogRules) {
    this.chooses = !everyShard && (format === 'slow-log' || format === 'slow-log-text');
  }

  get isKnown(): boolean {
    return !this.chooses || this.chosen !== null;
  }

  /** Returns the entry; an entry of the other kind counts as repeated. */
  judged(line: JudgedLine): JudgedLine {
    const kind = this.chooses ? kindOf(line) : null;
    if (kind === null) return line;
    this.chosen ??= kind;
    return kind === this.chosen ? line : { ...line, judged: { kind: 'repeated', ofOther: kind } };
  }
}

/** Returns the kind of a line; null if it has none, for example if it cannot be read. */
function kindOf({ judged, text }: JudgedLine): SlowLogEntries | null {
  if (isOfRequests(text)) return 'requests';
  return judged.kind === 'malformed' || judged.kind === 'otherType' ? null : 'shards';
}
