/** The data of a panel: which documents, split by what, and the figures of each part. */
import type { DataViewName } from './ids';
import { fieldsOf, measureColumns, type Column, type Columns, type Measure } from './expression';

export interface Bucket {
  column: Column;
  fields: readonly string[];
}

export interface LayerDefinition {
  view: DataViewName;
  /** KQL, beside what the dashboard itself is filtered by. */
  query: string;
  /** From the outermost; ids are `bucket0`, `bucket1`. */
  buckets: readonly Bucket[];
  /** Ids are `figure0`, `figure1`. */
  measures: readonly Measure[];
  /** Columns that are no numbers, after the measures: `word0`. */
  words?: readonly Bucket[];
}

export const bucketId = (at: number): string => `bucket${at}`;
export const measureId = (at: number): string => `figure${at}`;
export const wordId = (at: number): string => `word${at}`;

/** By time, in intervals that fit the range. */
export const overTime = (): Bucket => ({
  fields: ['@timestamp'],
  column: {
    label: 'Time',
    customLabel: true,
    dataType: 'date',
    operationType: 'date_histogram',
    sourceField: '@timestamp',
    isBucketed: true,
    scale: 'interval',
    params: { interval: 'auto', includeEmptyRows: true, dropPartials: false },
  },
});

export interface ByOptions {
  label: string;
  size?: number;
  dataType?: 'string' | 'number';
  /** Id of the figure that orders them, the smallest first; by their names without. */
  orderedBy?: string;
}

/** By the values of one field, or by those of several together. */
export function by(
  [field, ...others]: readonly [string, ...string[]],
  { label, size = 20, dataType = 'string', orderedBy }: ByOptions,
): Bucket {
  return {
    fields: [field, ...others],
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
        ...(others.length === 0
          ? { parentFormat: { id: 'terms' } }
          : { secondaryFields: others, parentFormat: { id: 'multi_terms' } }),
      },
    },
  };
}

/** What the newest document says in a field. */
export const newest = (field: string, label: string, dataType: 'string' | 'date' = 'string'): Bucket => ({
  fields: [field, '@timestamp'],
  column: {
    label,
    customLabel: true,
    dataType,
    operationType: 'last_value',
    sourceField: field,
    isBucketed: false,
    scale: dataType === 'date' ? 'interval' : 'ordinal',
    filter: { language: 'kuery', query: `${field}: *` },
    params: { sortField: '@timestamp', showArrayValues: false },
  },
});

export interface Layer {
  columns: Columns;
  columnOrder: readonly string[];
  incompleteColumns: Record<string, never>;
}

export function layerOf({ buckets, measures, words = [] }: LayerDefinition): Layer {
  const columns: Columns = {
    ...Object.fromEntries(buckets.map(({ column }, at) => [bucketId(at), column])),
    ...measures.reduce((all, measure, at) => ({ ...all, ...measureColumns(measureId(at), measure) }), {}),
    ...Object.fromEntries(words.map(({ column }, at) => [wordId(at), column])),
  };
  return { columns, columnOrder: Object.keys(columns), incompleteColumns: {} };
}

/** Every field that it reads, those of its query left out. */
export const fieldsOfLayer = ({ buckets, measures, words = [] }: LayerDefinition): string[] => [
  ...[...buckets, ...words].flatMap(({ fields }) => fields),
  ...measures.flatMap(({ is }) => fieldsOf(is)),
];
