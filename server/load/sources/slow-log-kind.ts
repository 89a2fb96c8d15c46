/**
 * OpenSearch has a slow log of whole requests beside that of their shards. A file with both has each search twice, so only the kind of
 * its first entry is sent.
 */
import type { LogRules } from '../../../common/replay/judge';
import { isOfRequests } from '../../../common/replay/formats/slow-log-text';
import type { JudgedLine } from './judged-line';

export type SlowLogEntries = 'requests' | 'shards';

/** The kind of a log's entries. Every reader of the log must pass it the same entries from the first one on, until it is known. */
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

  /** The entry; one of the other kind counts as repeated. */
  judged(line: JudgedLine): JudgedLine {
    const kind = this.chooses ? kindOf(line) : null;
    if (kind === null) return line;
    this.chosen ??= kind;
    return kind === this.chosen ? line : { ...line, judged: { kind: 'repeated', ofOther: kind } };
  }
}

/** Null for a line of neither, such as one that cannot be read. */
function kindOf({ judged, text }: JudgedLine): SlowLogEntries | null {
  if (isOfRequests(text)) return 'requests';
  return judged.kind === 'malformed' || judged.kind === 'otherType' ? null : 'shards';
}
