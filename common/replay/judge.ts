/** Decides for each line of a log whether and how its search is sent. If the search is not sent, gives the reason. */
import { JsonNotHeld, parseExact, stringifyExact, stringifyPlain } from '../json/exact';
import type { Construct, Json, OldVersionRules } from './constructs';
import type { SearchPart } from './formats/format';
import { logFormat, readLine, type LogFormat } from './formats/registry';
import { modernise } from './modern-body';
import { routeOf, routingOf, type RouteRule } from './route';

export interface LogRules extends OldVersionRules {
  format: LogFormat;
  /** Types of searches that are sent; null for all. */
  types: ReadonlySet<string> | null;
  /** For slow logs: whether every line about a shard and phase counts as a separate search. */
  everyShard: boolean;
  /** Whether the searches are sent at the times in the log. In this case, a line without a time cannot be sent. */
  timed: boolean;
  route: RouteRule | null;
  /** Field whose values are the routing of a search. */
  routing?: string | undefined;
}

export interface JudgedSearch {
  kind: 'search';
  type: string;
  /** Start of the search, in ms since the epoch; null if the log does not contain it. */
  time: number | null;
  /** Body to send. It is the text from the log, unless the search was rewritten. */
  body: string;
  rewritten: readonly Construct[];
  /** Position, from 0, of the index to which the search is sent. The definition's `route` determines the indices. */
  place: number;
  /** Routing of the search; '' if it is sent without a routing. */
  routing: string;
  /** Present if a slow log may contain further entries about the same search. */
  part?: SearchPart;
}

export type Judged =
  | JudgedSearch
  /**
   * A log entry that Dyno does not send, because another entry represents the same search. `shard`, `part`: as in {@link ReadLine}.
   * `ofOther`: a slow log of OpenSearch may contain entries about whole searches (`requests`) and entries about shards. Dyno sends only one
   * of these two types of entries. `ofOther` is the type of this entry, if it is the other one. Absent for other logs.
   */
  | { kind: 'repeated'; shard?: number; part?: SearchPart; ofOther?: 'requests' | 'shards' }
  | { kind: 'otherType'; type: string; time: number | null }
  | { kind: 'malformed'; reason: string }
  /**
   * A search that is not sent. `whys`: codes of the reasons. Each code is a construct, `no-time`, `no-index` or `no-routing`. `reason`: all
   * reasons as text.
   */
  | { kind: 'refused'; type: string; time: number | null; whys: readonly string[]; reason: string };

/**
 * Whether the index or the routing of a search depends on the exact notation of a value in the body. It does if documents are distributed
 * by the bytes of their values: `1.0` and `1` are equal as plain numbers, but have different bytes.
 */
const isRoutedByToken = ({ route, routing }: LogRules): boolean =>
  routing !== undefined || route?.by === 'hash';

/**
 * Parses the body and preserves the notation of its numbers (see `common/json/exact.ts`). If this is impossible for a value, returns the
 * reason as text.
 */
function exactBody(text: string): Json | string {
  try {
    return parseExact(text) as Json;
  } catch (error) {
    if (error instanceof JsonNotHeld) return error.message;
    throw error;
  }
}

export function judgeLine(text: string, rules: LogRules): Judged {
  const line = readLine(rules.format, text, rules.everyShard);
  if (line.kind === 'other') return { kind: 'otherType', type: line.log, time: null };
  if (line.kind !== 'search') return line;
  const { type, time, searchType } = line;
  if (rules.types !== null && !rules.types.has(type)) return { kind: 'otherType', type, time };
  const refuse = (whys: string[], reason: string): Judged => ({ kind: 'refused', type, time, whys, reason });
  if (rules.timed && time === null)
    return refuse(['no-time'], 'has no time, but the pace is the recorded one');
  const { recent } = logFormat(rules.format);
  const { body, rewritten, refused } = modernise({ body: line.body, searchType, recent }, rules);
  if (refused.length > 0) {
    const found = refused.map((each) =>
      each.found === each.construct ? each.construct : `${each.construct}: ${each.found}`,
    );
    return refuse(
      refused.map(({ construct }) => construct),
      `is of an old version (${found.join(', ')})`,
    );
  }
  const exact = rewritten.length > 0 || isRoutedByToken(rules) ? exactBody(line.text) : undefined;
  if (typeof exact === 'string' && !rules.accept.has('exact-number'))
    return refuse(['exact-number'], `cannot be read exactly: ${exact}`);
  const own = typeof exact === 'object' ? modernise({ body: exact, searchType, recent }, rules).body : body;
  const routed = rules.route === null ? { place: 0 } : routeOf(own, rules.route);
  if ('refused' in routed) return refuse(['no-index'], routed.refused);
  const under = rules.routing === undefined ? { routing: '' } : routingOf(own, rules.routing);
  if ('refused' in under) return refuse(['no-routing'], under.refused);
  return {
    kind: 'search',
    type,
    time,
    body:
      rewritten.length === 0
        ? line.text
        : typeof exact === 'object'
          ? stringifyExact(own)
          : stringifyPlain(own),
    rewritten,
    place: routed.place,
    routing: under.routing,
    ...(line.part === undefined ? {} : { part: line.part }),
  };
}
