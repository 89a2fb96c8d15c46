/** Finds features that the target lacks and that searches of a log, or requests of recorded traffic, use. */
import type { Offered, Use } from '../../../common/elasticsearch/capabilities';
import { unmetNeeds } from '../../../common/elasticsearch/modules';
import { isExamined, missingAmong, usesOfHttp, usesOfSearch } from '../../../common/experiment/feature-uses';
import { parseExact, plainValue } from '../../../common/json/exact';
import { trafficKind } from '../../../common/traffic/kind';
import type { TrafficRecord } from '../../../common/traffic/record';
import { pointInTimeApi } from '../../../common/traffic/rewrite';
import { formatNumber, plural } from '../../../common/units/format';

/** A feature that the target lacks. */
interface Missing {
  message: string;
  /** Advice on alternatives; absent without any. */
  allowed?: string | undefined;
  /** Number of searches in the log that use the feature. */
  searches: number;
  /** Line of the first search that uses the feature, from 1. */
  line: number;
}

/** Maximum number of features in a note. */
const MOST_NAMED = 5;

export class MissingInLog {
  private readonly found = new Map<string, Missing>();
  /** Number of searches that use at least one feature or module which the target lacks. Such a search will fail. */
  searches = 0;
  /** Number of searches that use a feature which this version of the engine does not have. Missing plugins or modules do not count here. */
  lacking = 0;

  constructor(private readonly target: Offered) {}

  /**
   * Counts and notes the features that a search uses and the target lacks. `body`: JSON text of the search. `line`: its line in the log,
   * from 1.
   */
  meet(body: string, line: number): void {
    const search = jsonOf(body);
    this.count(usesOfSearch(search, 'body'), search, line);
  }

  /** Compares a request of recorded traffic with the features of the target. `number`: its number in the file, from 1. */
  meetRequest(record: Pick<TrafficRecord, 'method' | 'path' | 'query' | 'body'>, number: number): void {
    const { query, body } = record;
    const path = this.sentPath(record);
    const parameters = [...new URLSearchParams(query).keys()];
    const isMany = path.endsWith('/_msearch');
    // The bodies of other requests, such as bulks, are not parsed.
    const text = isMany || isExamined(path) ? new TextDecoder().decode(body ?? undefined) : '';
    const request = isMany
      ? { path, parameters, body: null, ndjson: text.split('\n').filter(Boolean).map(jsonOf) }
      : { path, parameters, body: jsonOf(text) };
    this.count(usesOfHttp(request), request, number);
  }

  /**
   * Returns the path to which the replay sends a request. This is the recorded path, except for points in time: they use the API of the
   * target's engine, and their path contains no index.
   */
  private sentPath({ method, path }: Pick<TrafficRecord, 'method' | 'path'>): string {
    const isPoint = trafficKind(method, path).name.endsWith('-point-in-time');
    return isPoint ? `/${pointInTimeApi(this.target.engine)}` : path;
  }

  private count(uses: readonly Use[], parts: unknown, line: number): void {
    const messages = new Map<string, string | undefined>();
    for (const { message, allowed } of missingAmong(uses, this.target)) messages.set(message, allowed);
    if (messages.size > 0) this.lacking += 1;
    const { engine, plugins } = this.target;
    if (engine === 'elasticsearch' && plugins !== null)
      for (const { message } of unmetNeeds(uses, parts, plugins)) messages.set(message, undefined);
    if (messages.size > 0) this.searches += 1;
    for (const [message, allowed] of messages) {
      const missing = this.found.get(message);
      if (missing) missing.searches += 1;
      else this.found.set(message, { message, allowed, searches: 1, line });
    }
  }

  /**
   * Returns a phrase that says how many searches will fail, and why; '' if none will. `of`: the singular and the plural of the noun in the
   * phrase.
   */
  note(of: readonly [one: string, many: string] = ['search', 'searches']): string {
    if (this.searches === 0) return '';
    const all = [...this.found.values()].sort((a, b) => b.searches - a.searches);
    const place = of[0] === 'search' ? 'line' : of[0];
    const reasons = all.slice(0, MOST_NAMED).map((missing) => sayMissing(missing, of[1], place));
    const further = all.length - reasons.length;
    return `${plural(this.searches, ...of)} will fail: ${reasons.join('; ')}${
      further === 0 ? '' : `; and ${plural(further, 'more reason')}`
    }`;
  }
}

/** Returns the parsed text. Returns null for a text that cannot be parsed, because it uses no feature that Dyno knows. */
function jsonOf(text: string): unknown {
  try {
    return plainValue(parseExact(text));
  } catch {
    return null;
  }
}

function sayMissing({ message, allowed, searches, line }: Missing, many: string, place: string): string {
  const where =
    searches === 1 ? `${place} ${line}` : `${formatNumber(searches)} ${many}, first in ${place} ${line}`;
  return `${message} (${where}${allowed === undefined ? '' : `; use instead: ${allowed}`})`;
}
