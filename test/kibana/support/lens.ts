/**
 * Requests from Elasticsearch the numbers that a Lens panel shows. Uses the aggregations that Lens creates from the columns of the panel.
 */
import { askElasticsearch } from './kibana';

interface LensColumn {
  operationType: string;
  sourceField?: string;
  isBucketed: boolean;
  filter?: { query: string };
  references?: string[];
  params?: {
    interval?: string;
    size?: number;
    tinymathAst?: Arithmetic;
  };
}

/** Formula of a column: a number, the name of another column, or an arithmetic function whose arguments are formulas. */
type Arithmetic = number | string | { name: 'add' | 'multiply' | 'divide'; args: Arithmetic[] };

export interface LensState {
  query: { query: string };
  datasourceStates: { indexpattern: { layers: Record<string, { columns: Record<string, LensColumn> }> } };
}

/**
 * A row of a panel's data. `keys`: values by which the documents are grouped. `figures`: the calculated values in the order of the columns;
 * null if Lens shows no value.
 */
export interface Row {
  keys: string[];
  figures: (number | null)[];
}

export interface Asked {
  /** State of the panel. */
  state: LensState;
  /** Index pattern of the data view. */
  index: string;
  runtimeFields: object;
  /** Filter that applies in addition to the query of the panel. */
  filter: object;
  /** Interval of the time axis. Lens itself derives it from the time range. */
  autoInterval: string;
}

/**
 * Converts a KQL query to a query of Elasticsearch. Supports only the forms that the panels use: `field: value`, `field: *`, `not` before
 * one of these, and several of these joined by `and`. Throws an error for other forms.
 */
export function kql(text: string): object {
  if (text === '') return { match_all: {} };
  const clauses = /^\(.*\)$/.test(text) ? text.slice(1, -1).split(') and (') : [text];
  if (clauses.length > 1) return { bool: { filter: clauses.map(kql) } };
  const [, not, field, value] = /^(not )?([@\w.]+): (?:"(.*)"|\*)$/.exec(clauses[0]!) ?? [];
  if (field === undefined) throw new Error(`the panels' KQL has a new form: ${text}`);
  const one = value === undefined ? { exists: { field } } : { term: { [field]: value } };
  return not === undefined ? one : { bool: { must_not: one } };
}

const METRICS: Readonly<Record<string, (field: string) => object>> = {
  average: (field) => ({ avg: { field } }),
  sum: (field) => ({ sum: { field } }),
  min: (field) => ({ min: { field } }),
  max: (field) => ({ max: { field } }),
  median: (field) => ({ percentiles: { field, percents: [50] } }),
  unique_count: (field) => ({ cardinality: { field } }),
};

function metric({ operationType, sourceField, filter }: LensColumn): object {
  const plain = METRICS[operationType]!(sourceField!);
  return filter ? { filter: kql(filter.query), aggs: { inner: plain } } : plain;
}

function bucket({ operationType, sourceField, params }: LensColumn, autoInterval: string): object {
  if (operationType === 'terms') return { terms: { field: sourceField, size: params!.size } };
  return params!.interval === 'd'
    ? { date_histogram: { field: sourceField, calendar_interval: '1d', min_doc_count: 1 } }
    : { date_histogram: { field: sourceField, fixed_interval: autoInterval, min_doc_count: 1 } };
}

interface Answered {
  value?: number | null;
  values?: Record<string, number | null>;
  inner?: Answered;
}

type Bucketed = Record<string, Answered> & {
  rows?: { buckets: (Bucketed & { key: string | number; key_as_string?: string })[] };
};

const valueOf = ({ inner, value, values }: Answered): number | null =>
  inner ? valueOf(inner) : ((values ? values['50.0'] : value) ?? null);

/** Calculates a formula. Returns null if a value is missing or a divisor is 0. Lens shows no value in these cases. */
function calculate(of: Arithmetic, parts: Bucketed): number | null {
  if (typeof of === 'number') return of;
  if (typeof of === 'string') return valueOf(parts[of]!);
  const [left, right] = of.args.map((operand) => calculate(operand, parts));
  if (left == null || right == null) return null;
  if (of.name === 'add') return left + right;
  if (of.name === 'multiply') return left * right;
  return right === 0 ? null : left / right;
}

export async function askLens({ state, index, runtimeFields, filter, autoInterval }: Asked): Promise<Row[]> {
  const [{ columns }] = Object.values(state.datasourceStates.indexpattern.layers) as [
    { columns: Record<string, LensColumn> },
  ];
  const all = Object.entries(columns);
  const metrics = Object.fromEntries(
    all
      .filter(([, { operationType }]) => operationType in METRICS)
      .map(([name, column]) => [name, metric(column)]),
  );
  const aggs = all
    .filter(([, { isBucketed }]) => isBucketed)
    .reduceRight<object>(
      (inner, [, column]) => ({ rows: { ...bucket(column, autoInterval), aggs: inner } }),
      metrics,
    );
  const { status, body } = await askElasticsearch<{ aggregations: Bucketed }>('POST', `/${index}/_search`, {
    size: 0,
    query: { bool: { filter: [filter, kql(state.query.query)] } },
    runtime_mappings: runtimeFields,
    aggs,
  });
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  const shown = all.filter(([name, { isBucketed }]) => !isBucketed && !/X\d+$/.test(name));
  const rowsOf = (part: Bucketed, keys: string[]): Row[] => {
    if (part.rows)
      return part.rows.buckets.flatMap((one) => rowsOf(one, [...keys, one.key_as_string ?? String(one.key)]));
    const figures = shown.map(([name, { operationType, references = [] }]) =>
      operationType === 'formula'
        ? calculate(columns[references[0]!]!.params!.tinymathAst!, part)
        : valueOf(part[name]!),
    );
    return [{ keys, figures }];
  };
  return rowsOf(body.aggregations, []);
}
