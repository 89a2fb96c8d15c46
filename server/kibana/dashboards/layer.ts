/** The data of a panel: which documents, split by what, and the figures of each part. */
import type { DataViewName } from './ids';
import { fieldsOf, measureColumns, type Column, type Columns, type Measure } from './expression';

export interface Bucket {
  column: Column;
  field: string;
}

export interface LayerDefinition {
  view: DataViewName;
  /** KQL, beside what the dashboard itself is filtered by. */
  query: string;
  /** From the outermost; ids are `bucket0`, `bucket1`. */
  buckets: readonly Bucket[];
  /** Ids are `figure0`, `figure1`. */
  measures: readonly Measure[];
}

export const bucketId = (at: number): string => `bucket${at}`;
export const measureId = (at: number): string => `figure${at}`;

/** By time, in intervals that fit the range. */
export const overTime = (): Bucket => byTime('auto');

/** By days, in the reader's zone: with runs a day apart, shorter intervals would be gaps. */
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
  /** Id of the figure that orders them, the smallest first; by their names without. */
  orderedBy?: string;
}

/** By the values of a field. */
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

/** Every field that it reads, those of its query left out. */
export const fieldsOfLayer = ({ buckets, measures }: LayerDefinition): string[] => [
  ...buckets.map(({ field }) => field),
  ...measures.flatMap(({ is }) => fieldsOf(is)),
];
