/** Tables and sentences of a summary of recorded requests (a survey), for the terminal and for the page. */
import {
  formatBytes,
  formatDuration,
  formatMinute,
  formatMs,
  formatNumber,
  formatPercent,
  plural,
} from '../units/format';
import { cell, left, optional, right, type Table, type TableCell } from '../report/tables/table';
import type { SurveyedShape, TrafficSurvey } from './survey';

/** Default number of rows of a table. */
export const MOST_ROWS = 20;

type Group = TrafficSurvey['otherShapes'];

const share = (part: number, whole: number): TableCell =>
  cell(whole === 0 ? '–' : formatPercent(part / whole));
const errors = (count: number): TableCell => cell(formatNumber(count), count > 0 ? 'bad' : undefined);
const times = ({ p50, p99, max }: Group['latency']): TableCell[] =>
  [p50, p99, max].map((ms) => cell(formatMs(ms)));

const TIMES = [right('p50'), right('p99'), right('max')];
const FEW = 'A percentile with too few values is left out.';

const groupCells = (group: Group, survey: TrafficSurvey): TableCell[] => [
  cell(formatNumber(group.requests)),
  share(group.requests, survey.requests),
  ...times(group.latency),
  errors(group.errors),
  cell(formatBytes(group.requestBytes)),
  cell(formatBytes(group.answerBytes)),
];
const GROUP = [
  right('requests'),
  right('share'),
  ...TIMES,
  right('errors'),
  right('mean request'),
  right('mean answer'),
];

/** Returns the method and the path of a shape, such as `POST /shop/_search`. Shapes with the same path differ in their bodies. */
export const shapeName = ({ method, path }: Pick<SurveyedShape, 'method' | 'path'>): string =>
  `${method} ${path}`;

export const kindsTable = (survey: TrafficSurvey): Table => ({
  title: 'Kinds of requests',
  note: `Latency as recorded. ${FEW}`,
  columns: [left('kind'), left('effect'), ...GROUP],
  rows: survey.kinds.map(({ kind, effect, ...group }) => [
    cell(kind),
    cell(effect),
    ...groupCells(group, survey),
  ]),
});

/** Number of a shape in tables: its position among the most frequent shapes, from 1. */
const numberCell = (at: number): TableCell => cell(`#${at + 1}`);

/** Returns the table of the most frequent shapes of requests, with one row for all others. */
export function shapesTable(survey: TrafficSurvey, most = MOST_ROWS): Table {
  const shown = survey.shapes.slice(0, most);
  const requests = shown.reduce((sum, shape) => sum + shape.requests, 0);
  return {
    title: 'Most frequent shapes',
    note: 'Requests have the same shape if they differ only in values. “repeated”: reads that occurred before with the same path, query and body.',
    columns: [
      left('shape'),
      left('request'),
      right('requests'),
      right('share'),
      ...TIMES,
      right('errors'),
      right('repeated'),
    ],
    rows: [
      ...shown.map((shape, at) => [
        numberCell(at),
        cell(shapeName(shape)),
        cell(formatNumber(shape.requests)),
        share(shape.requests, survey.requests),
        ...times(shape.latency),
        errors(shape.errors),
        shape.effect === 'read' ? share(shape.repeated, shape.requests) : cell(''),
      ]),
      ...(requests === survey.requests
        ? []
        : [
            [
              cell(''),
              cell('others'),
              cell(formatNumber(survey.requests - requests)),
              share(survey.requests - requests, survey.requests),
              ...TIMES.map(() => cell('')),
              cell(''),
              cell(''),
            ],
          ]),
    ],
  };
}

/** Returns the positions of the slowest shapes in the list of shapes: by p99, or by the maximum if there are too few values for a p99. */
export function slowestFirst({ shapes }: TrafficSurvey, most = MOST_ROWS): number[] {
  const slowest = (at: number): number => shapes[at]!.latency.p99 ?? shapes[at]!.latency.max ?? 0;
  return shapes
    .map((_, at) => at)
    .filter((at) => slowest(at) > 0)
    .sort((a, b) => slowest(b) - slowest(a))
    .slice(0, most);
}

/** Returns the shapes in the order of {@link slowestFirst}. Null if the recording contains no durations. */
export function slowestTable(survey: TrafficSurvey, most = MOST_ROWS): Table | null {
  const places = slowestFirst(survey, most);
  if (places.length === 0) return null;
  const busy = survey.otherShapes.busyMs + survey.shapes.reduce((sum, { busyMs }) => sum + busyMs, 0);
  return {
    title: 'Slowest shapes',
    note: 'In the order of p99, or of the maximum if there are too few values. “time”: share of the sum of all durations.',
    columns: [left('shape'), left('request'), ...TIMES, right('time'), right('requests')],
    rows: places.map((at) => {
      const shape = survey.shapes[at]!;
      return [
        numberCell(at),
        cell(shapeName(shape)),
        ...times(shape.latency),
        share(shape.busyMs, busy),
        cell(formatNumber(shape.requests)),
      ];
    }),
  };
}

export const sizesTable = ({ requestSizes, answerSizes }: TrafficSurvey): Table => ({
  title: 'Sizes of bodies',
  note: '',
  columns: [left(''), right('bodies'), right('p50'), right('p99'), right('max'), right('total')],
  rows: (
    [
      ['requests', requestSizes],
      ['answers', answerSizes],
    ] as const
  ).map(([name, { count, p50, p99, max, total }]) => [
    cell(name),
    cell(formatNumber(count)),
    ...[p50, p99, max, total].map((bytes) => cell(count === 0 ? '–' : formatBytes(bytes))),
  ]),
});

const othersRow = (others: number, columns: number): TableCell[][] =>
  others === 0
    ? []
    : [[cell('others'), cell(formatNumber(others)), ...Array.from({ length: columns - 2 }, () => cell(''))]];

export function indicesTable({ indices, requests }: TrafficSurvey, most = MOST_ROWS): Table | null {
  if (indices.top.length === 0) return null;
  const hidden = indices.top.slice(most).reduce((sum, index) => sum + index.requests, 0);
  return {
    title: 'Indices',
    note: 'As named in paths and bodies. A request that names several indices counts for each of them.',
    columns: [left('index'), right('names'), right('requests'), right('share'), right('writes')],
    rows: [
      ...indices.top
        .slice(0, most)
        .map((index) => [
          cell(index.name),
          cell(formatNumber(index.names)),
          cell(formatNumber(index.requests)),
          share(index.requests, requests),
          cell(formatNumber(index.writes)),
        ]),
      ...(indices.others + hidden === 0
        ? []
        : [[cell('others'), cell(''), cell(formatNumber(indices.others + hidden)), cell(''), cell('')]]),
    ],
  };
}

export function clientsTable({ clients, requests }: TrafficSurvey, most = MOST_ROWS): Table | null {
  if (clients.top.length === 0) return null;
  const hidden = clients.top.slice(most).reduce((sum, client) => sum + client.requests, 0);
  return {
    title: 'Clients',
    note: '',
    columns: [left('client'), right('requests'), right('share')],
    rows: [
      ...clients.top
        .slice(0, most)
        .map((client) => [
          cell(client.name),
          cell(formatNumber(client.requests)),
          share(client.requests, requests),
        ]),
      ...othersRow(clients.others + hidden, 3),
    ],
  };
}

/** Returns the table of responses by HTTP status. Null without responses. */
export function statusesTable({ statuses, requests }: TrafficSurvey): Table | null {
  if (statuses.length === 0) return null;
  return {
    title: 'Answers by status',
    note: '',
    columns: [left('status'), right('requests'), right('share')],
    rows: statuses.map(({ status, requests: own }) => [
      cell(status === 0 ? 'no answer' : String(status)),
      cell(formatNumber(own)),
      share(own, requests),
    ]),
  };
}

/** Returns the table of error responses by their type. Null without errors. */
export function errorsTable({ errors: { top, others }, requests }: TrafficSurvey): Table | null {
  if (top.length === 0) return null;
  return {
    title: 'Error answers',
    note: 'A 404 for a document or for the test whether an index exists is not an error.',
    columns: [left('error'), right('requests'), right('share')],
    rows: [
      ...top.map((error) => [
        cell(error.name),
        cell(formatNumber(error.requests), 'bad'),
        share(error.requests, requests),
      ]),
      ...othersRow(others, 3),
    ],
  };
}

/** Returns the table of the requests that a replay leaves out. Null if a replay sends all of them. */
export function leftOutTable({ leftOut, requests }: TrafficSurvey): Table | null {
  if (leftOut.length === 0) return null;
  return {
    title: 'What a replay leaves out',
    note: '',
    columns: [left('kind'), right('requests'), right('share'), optional(left('because'))],
    rows: leftOut.map(({ kind, why, requests: own }) => [
      cell(kind),
      cell(formatNumber(own)),
      share(own, requests),
      cell(why),
    ]),
  };
}

/** Returns the table of the rate over time, for terminals. It has at most 24 rows. Null if the recording is too short. */
export function ratesTable({ rates: { widthMs, buckets } }: TrafficSurvey): Table | null {
  if (buckets.length < 2) return null;
  const together = Math.ceil(buckets.length / 24);
  const rows = Array.from({ length: Math.ceil(buckets.length / together) }, (_, at) =>
    buckets.slice(at * together, (at + 1) * together),
  );
  const seconds = (widthMs * together) / 1000;
  const perSecond = (count: number, of: number): string => formatNumber(count / ((of * widthMs) / 1000));
  const sumOf = (part: typeof buckets, effect: number): number =>
    part.reduce((sum, { counts }) => sum + counts[effect]!, 0);
  const totals = rows.map((part) => [0, 1, 2, 3].reduce((sum, effect) => sum + sumOf(part, effect), 0));
  const most = Math.max(...totals);
  return {
    title: 'Rate over time',
    note: `Requests per second, in steps of ${formatDuration(seconds * 1000)}.`,
    columns: [left('from (UTC)'), right('all'), right('reads'), right('writes'), left('')],
    rows: rows.map((part, at) => [
      cell(new Date(part[0]!.at).toISOString().slice(0, 19).replace('T', ' ')),
      cell(perSecond(totals[at]!, part.length)),
      cell(perSecond(sumOf(part, 0), part.length)),
      cell(perSecond(sumOf(part, 1), part.length)),
      cell('█'.repeat(most === 0 ? 0 : Math.round((20 * totals[at]!) / most))),
    ]),
  };
}

/** Returns all tables of a survey for a terminal, in the order in which they are read. */
export const surveyTables = (survey: TrafficSurvey): Table[] =>
  [
    kindsTable(survey),
    shapesTable(survey),
    slowestTable(survey),
    ratesTable(survey),
    sizesTable(survey),
    indicesTable(survey),
    clientsTable(survey),
    statusesTable(survey),
    errorsTable(survey),
    leftOutTable(survey),
  ].filter((table) => table !== null);

/** Returns the highest rate of a bucket, in requests per second. */
export function busiest({ rates: { widthMs, buckets } }: TrafficSurvey): number {
  const totals = buckets.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0));
  return Math.max(0, ...totals) / (widthMs / 1000);
}

const statement = (parts: readonly string[]): string => `${parts.filter(Boolean).join(', ')}.`;

/**
 * Returns a sentence on how many reads repeat earlier ones. A cache could have the responses to these. Returns an empty list if there are
 * no reads.
 */
export const repeatsFact = ({ repeats: { reads, repeated, isLowerBound } }: TrafficSurvey): string[] =>
  reads === 0
    ? []
    : [
        `A cache could answer ${isLowerBound ? 'at least ' : ''}${formatPercent(repeated / reads)} of the reads: ` +
          'they repeat an earlier read with the same path, query and body.',
      ];

/** Returns the most important facts of a survey as sentences. */
export function surveyFacts(survey: TrafficSurvey): string[] {
  const { requests, firstAt, lastAt, effects, connections, clients } = survey;
  if (requests === 0 || firstAt === null || lastAt === null) return ['The file contains no request.'];
  const spanMs = lastAt - firstAt;
  const rate =
    spanMs < 1000
      ? ''
      : `${formatNumber(requests / (spanMs / 1000))} requests per second on average, at most ` +
        `${formatNumber(busiest(survey))} (over ${formatDuration(survey.rates.widthMs)})`;
  const leftOut = survey.leftOut.reduce((sum, one) => sum + one.requests, 0);
  return [
    statement([
      `${plural(requests, 'request')} from ${formatMinute(new Date(firstAt).toISOString())}`,
      formatDuration(spanMs),
      rate,
    ]),
    statement([
      `${formatPercent(effects.read / requests)} reads`,
      `${formatPercent(effects.write / requests)} writes with ${plural(survey.documents, 'document')}`,
      effects.context === 0 ? '' : `${formatPercent(effects.context / requests)} scrolls and points in time`,
      effects.other === 0 ? '' : `${formatPercent(effects.other / requests)} other requests`,
    ]),
    statement([
      `${survey.areMoreConnections ? 'More than ' : ''}${plural(connections, 'connection')}`,
      clients.top.length === 0
        ? ''
        : `${clients.others > 0 ? 'more than ' : ''}${plural(clients.top.length, 'client')}`,
      survey.inFlight === null ? '' : `${formatNumber(survey.inFlight)} requests in flight on average`,
      survey.latency.p50 === null ? '' : `p50 ${formatMs(survey.latency.p50)}`,
      survey.latency.p99 === null ? '' : `p99 ${formatMs(survey.latency.p99)}`,
    ]),
    ...repeatsFact(survey),
    ...(leftOut === 0
      ? ['A replay can send all requests.']
      : [`A replay leaves out ${formatPercent(leftOut / requests)} of the requests.`]),
    ...(survey.partial === 0
      ? []
      : [
          `${plural(survey.partial, 'successful answer reports', 'successful answers report')} failed items, failed shards or a timeout.`,
        ]),
    ...(survey.withoutAnswer === 0
      ? []
      : [`${plural(survey.withoutAnswer, 'request has', 'requests have')} no recorded answer.`]),
  ];
}
