/** Defines the data of a panel: which documents the panel reads, the buckets into which they are split, and the measures of each bucket. */
import type { DataViewName } from './ids';
import { fieldsOf, measureColumns, type Column, type Columns, type Measure } from './expression';

export interface Bucket {
  column: Column;
  field: string;
}

export interface LayerDefinition {
  view: DataViewName;
  /** KQL query of the layer. Kibana combines it with the filters of the dashboard. */
  query: string;
  /** Buckets, the outermost first. Their ids are `bucket0`, `bucket1`. */
  buckets: readonly Bucket[];
  /** Measures. Their ids are `figure0`, `figure1`. */
  measures: readonly Measure[];
}

export const bucketId = (at: number): string => `bucket${at}`;
export const measureId = (at: number): string => `figure${at}`;

/** Splits the data by time. The length of the intervals depends on the time range of the dashboard. */
export const overTime = (): Bucket => byTime('auto');

/** Splits the data by day, in the time zone of the Kibana user. Shorter intervals would leave gaps, because runs are often a day apart. */
export const overDays = (): Bucket => byTime('d');

const byTime = (interval: 'auto' | 'd'): Bucket => ({
  field: '@timestamp',
  column: {
    label: 'Time',
    customLabel: true,
    dataType: 'date',
    operationType: 'date_histogram',
    sourceField: '@timestamp',
    isBucketed: true,
    scale: 'interval',
    params: { interval, includeEmptyRows: true, dropPartials: false },
  },
});

export interface ByOptions {
  label: string;
  size?: number;
  dataType?: 'string' | 'number';
  /** Id of the measure by which the values of the field are sorted, ascending. If absent, they are sorted alphabetically. */
  orderedBy?: string;
}

/** Splits the data by the values of a field. */
export const by = (
  field: string,
  { label, size = 20, dataType = 'string', orderedBy }: ByOptions,
): Bucket => ({
  field,
  column: {
    label,
    customLabel: true,
    dataType,
    operationType: 'terms',
    sourceField: field,
    isBucketed: true,
    scale: 'ordinal',
    params: {
      size,
      orderBy:
        orderedBy === undefined
          ? { type: 'alphabetical', fallback: false }
          : { type: 'column', columnId: orderedBy },
      orderDirection: 'asc',
      otherBucket: false,
      missingBucket: false,
      parentFormat: { id: 'terms' },
    },
  },
});

export interface Layer {
  columns: Columns;
  columnOrder: readonly string[];
  incompleteColumns: Record<string, never>;
}

export function layerOf({ buckets, measures }: LayerDefinition): Layer {
  const columns: Columns = {
    ...Object.fromEntries(buckets.map(({ column }, at) => [bucketId(at), column])),
    ...measures.reduce((all, measure, at) => ({ ...all, ...measureColumns(measureId(at), measure) }), {}),
  };
  return { columns, columnOrder: Object.keys(columns), incompleteColumns: {} };
}

/** Returns every field that the layer reads, except those in its query. */
export const fieldsOfLayer = ({ buckets, measures }: LayerDefinition): string[] => [
  ...buckets.map(({ field }) => field),
  ...measures.flatMap(({ is }) => fieldsOf(is)),
];
