/**
 * Creates the definition of an experiment from searches in Kibana. The definition contains the requests that Kibana sends, limited to a
 * time range.
 */
import { yamlOf } from '../experiment/document';
import { EXISTING_NAMES } from '../elasticsearch/existing-names';
import { requestKey } from '../measurement/metric';
import { parseDuration } from '../units/duration';
import type { EsqlPanel, LeftOut, TimeWindow } from './panels';
import { parseTime } from '../units/time';

/** A search of Kibana. Kibana's search source has built its body, but the body does not contain the time range. */
export interface BuiltSearch {
  kind: 'search';
  title: string;
  body: Record<string, unknown>;
  /** Index pattern of the search's data view. */
  index: string;
  /** Time field of the search's data view; null if the data view has no time field. */
  timeField: string | null;
  /** Time range of the panel; null if the panel uses the time range of the dashboard. */
  window: TimeWindow | null;
}

export interface Carried {
  title: string;
  window: TimeWindow;
  panels: readonly (BuiltSearch | EsqlPanel)[];
  leftOut: readonly LeftOut[];
  /** Query and filters of the dashboard. Kibana applies them to ES|QL queries too. Absent if the dashboard has neither. */
  around?: Record<string, unknown>;
}

type Json = Record<string, unknown>;

/** Escapes `{{` in all texts of a value. In Kibana, two braces are ordinary text, but in a definition they begin a parameter. */
export function literal(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('{{', '{{{{');
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [literal(key) as string, literal(one)]),
  );
}

/** Converts a moment to the form that parameters use. Undefined if only Elasticsearch can calculate the moment, such as `now/d`. */
export function momentOf(text: string): string | undefined {
  const [, sign = '', count = '', unit = ''] = /^now(?:([+-])(\d{1,6})(\w))?$/.exec(text) ?? [];
  if (text === 'now') return text;
  if (unit === 'w') return `now${sign}${Number(count) * 7}d`;
  if (sign !== '' && parseDuration(`${count}${unit}`) !== undefined) return text;
  return /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(parseTime(text)) ? text : undefined;
}

interface Ends {
  gte: string;
  lte: string;
  parameters: Json;
}

/**
 * Returns both ends of a time range. They are parameters that are drawn for each request, or date math that Elasticsearch calculates.
 * `suffix`: distinguishes the parameters of several ranges.
 */
function endsOf({ from, to }: TimeWindow, suffix: string): Ends {
  const [start, end] = [momentOf(from), momentOf(to)];
  const [first, last] = [`from${suffix}`, `to${suffix}`];
  const parameters = {
    ...(start === undefined ? {} : { [first]: { date: { from: start, to: start } } }),
    ...(end === undefined ? {} : { [last]: { date: { from: end, to: end } } }),
  };
  return {
    gte: start === undefined ? from : `{{${first}}}`,
    lte: end === undefined ? to : `{{${last}}}`,
    parameters,
  };
}

/**
 * Returns a function that returns both ends of a time range. Its parameter is the range of a panel; null for the range of the dashboard.
 */
function allEnds({ window, panels }: Carried): (own: TimeWindow | null) => Ends {
  const keyOf = ({ from, to }: TimeWindow): string => `${from} ${to}`;
  const ends = new Map<string, Ends>();
  for (const one of [window, ...panels.flatMap((panel) => panel.window ?? [])])
    if (!ends.has(keyOf(one))) ends.set(keyOf(one), endsOf(one, ends.size === 0 ? '' : `_${ends.size + 1}`));
  return (own) => ends.get(keyOf(own ?? window))!;
}

/**
 * Values of the parameter `preference`. Kibana sends all searches of a user's session with the same preference, so they use the same copy
 * of each shard. The definition simulates several sessions, because a single session would leave the other copies idle.
 */
const SESSIONS = Array.from({ length: 8 }, (_, i) => `session-${i + 1}`);
/** Parameters as Kibana sends them: missing indices are ignored. */
const PARAMS = { preference: '{{session}}', ignore_unavailable: true };

const rangeOf = (field: string, { gte, lte }: Ends): Json => ({
  range: { [field]: { gte, lte, format: 'strict_date_optional_time' } },
});

/** Adds the time range to a search as an additional filter, as Kibana does. */
function withinTime(body: Json, field: string, ends: Ends): Json {
  const query = body['query'] as Json | undefined;
  const bool = query?.['bool'] as Json | undefined;
  const filter = rangeOf(field, ends);
  if (bool === undefined || Object.keys(query!).length !== 1) {
    return {
      ...body,
      query: { bool: { ...(query === undefined ? {} : { must: [query] }), filter: [filter] } },
    };
  }
  return { ...body, query: { bool: { ...bool, filter: [bool['filter'] ?? []].flat().concat(filter) } } };
}

/** Returns a name for each title. The names differ, even in the short form that names of metrics contain. */
function namesFor(titles: readonly string[]): string[] {
  const taken = new Set<string>();
  return titles.map((title) => {
    const plain = requestKey(title) === '' ? 'panel' : title;
    let name = plain;
    for (let next = 2; taken.has(requestKey(name)); next += 1) name = `${plain} ${next}`;
    taken.add(requestKey(name));
    return name;
  });
}

/** Conditions on the response for requests of kind `http`. Requests of kind `search` check the same conditions automatically. */
const WHOLE = ['_shards.failed == 0', 'timed_out == false'];

/** Returns a request with an ES|QL query and the parts that Kibana adds: the query and filters of the dashboard, and the time range. */
function esqlRequest(
  panel: EsqlPanel,
  ends: Ends,
  around: Json | undefined,
): { request: Json; timed: boolean } {
  const query = literal(panel.query) as string;
  const beside = around === undefined ? {} : { query: literal(around) as Json };
  const limited = panel.timeField === null ? beside : withinTime(beside, panel.timeField, ends);
  const { query: filter } = limited as { query?: Json };
  const named = ['_tstart', '_tend'].filter((name) => panel.query.includes(`?${name}`));
  const params = named.map((name) => ({ [name]: name === '_tstart' ? ends.gte : ends.lte }));
  const body = {
    ...(filter === undefined ? {} : { filter }),
    ...(params.length === 0 ? {} : { params }),
  };
  return {
    request: { esql: { query, ...(Object.keys(body).length === 0 ? {} : { body }) } },
    timed: panel.timeField !== null || params.length > 0,
  };
}

function requestOf(
  panel: BuiltSearch | EsqlPanel,
  existing: string,
  ends: Ends,
  around: Json | undefined,
): { request: Json; timed: boolean } {
  if (panel.kind === 'esql') return esqlRequest(panel, ends, around);
  const own = literal(panel.body) as Json;
  const body = panel.timeField === null ? own : withinTime(own, panel.timeField, ends);
  const timed = panel.timeField !== null;
  if (panel.index === existing) return { request: { search: { params: PARAMS, body } }, timed };
  const path = `/${encodeURIComponent(panel.index)}/_search`;
  return { request: { http: { method: 'POST', path, params: PARAMS, body }, expect: WHOLE }, timed };
}

/**
 * Returns the index pattern of the data view that most searches use. If no pattern can be used as a name of indices, returns the indices of
 * the first ES|QL query, or ''.
 */
function existingOf(panels: Carried['panels']): string {
  const counts = new Map<string, number>();
  for (const panel of panels) {
    if (panel.kind !== 'search' || !EXISTING_NAMES.test(panel.index)) continue;
    counts.set(panel.index, (counts.get(panel.index) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? sourceIn(panels);
}

/** Returns the indices of the first ES|QL query, for dashboards with only such queries. */
function sourceIn(panels: Carried['panels']): string {
  for (const panel of panels) {
    if (panel.kind !== 'esql') continue;
    const names =
      /^\s*FROM\s+((?:[^|\s,]+\s*,\s*)*[^|\s,]+)/i.exec(panel.query)?.[1]?.replaceAll(/[\s"`]/g, '') ?? '';
    if (EXISTING_NAMES.test(names)) return names;
  }
  return '';
}

/** Makes a title safe for one line of a comment. */
const line = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 300);

/** Comments about differences from Kibana. */
const UNLIKE = {
  search:
    'Kibana sends each search as an asynchronous search and waits for it; here it is a plain search with the same body. Discover sends separate searches for its chart and its count of hits, which are not included.',
  esql: 'Kibana sends each query of ES|QL as an asynchronous query; here it is a plain query.',
} as const;

/** Returns the definition as YAML that the user can edit. Comments list the parts of the dashboard that the definition does not contain. */
export function experimentOf(carried: Carried): string {
  const { title, window, panels, leftOut, around } = carried;
  const endsFor = allEnds(carried);
  const existing = existingOf(panels);
  const names = namesFor(panels.map((panel) => panel.title));
  const built = panels.map((panel) => requestOf(panel, existing, endsFor(panel.window), around));
  const searches = panels.some(({ kind }) => kind === 'search');
  const timed = panels.filter((_, at) => built[at]!.timed);
  const parameters = {
    ...Object.assign({}, ...timed.map((panel) => endsFor(panel.window).parameters)),
    ...(searches ? { session: { values: SESSIONS } } : {}),
  } as Json;
  const definition = {
    version: 1,
    name: title.trim() === '' ? 'Searches of Kibana' : title,
    target: 'local',
    index: { existing },
    tasks: [
      {
        name: 'searches',
        requests: {
          list: built.map(({ request }, at) => ({ name: names[at], ...request })),
          ...(Object.keys(parameters).length > 0 ? { parameters } : {}),
        },
        executor: { 'constant-clients': { clients: 1 } },
      },
    ],
    measure: { warmup: '10s', duration: '1m' },
    trials: 3,
  };
  const when = timed.length === 0 ? '' : `, from ${line(window.from)} to ${line(window.to)}`;
  const untimed = panels.filter((_, at) => !built[at]!.timed);
  const comments = [
    `The searches of ${line(title)}${when}.`,
    ...(searches ? [UNLIKE.search] : []),
    ...(panels.some(({ kind }) => kind === 'esql') ? [UNLIKE.esql] : []),
    ...timed.flatMap((panel) =>
      panel.window === null
        ? []
        : [
            `${line(panel.title)} has its own time range: from ${line(panel.window.from)} to ${line(panel.window.to)}.`,
          ],
    ),
    ...(timed.length === 0 ? [] : untimed.map((panel) => `${line(panel.title)} is not limited to a time.`)),
    ...leftOut.map((one) => `Not carried over: ${line(one.title)}: ${line(one.reason)}.`),
  ];
  return `${comments.map((comment) => `# ${comment}\n`).join('')}${yamlOf(definition, { lineWidth: 0 })}`;
}
