/** Layers, colours and texts that several panels share. */
import { forOutcomes } from '../../../common/measurement/outcomes';
import type { Expression, Format, Measure } from './expression';
import { by, overTime, type Bucket, type LayerDefinition } from './layer';
import type { DataViewName } from './ids';

export const WHOLE: Format = { id: 'number', decimals: 0 };
export const ONE_DECIMAL: Format = { id: 'number', decimals: 1 };
export const PERCENT: Format = { id: 'percent', decimals: 1 };
export const BYTES: Format = { id: 'bytes', decimals: 1 };

export const measure = (label: string, is: Expression, format: Format = WHOLE): Measure => ({
  label,
  is,
  format,
});

/** Returns a layer for a panel that shows one number. */
export const single = (view: DataViewName, query: string, measure: Measure): LayerDefinition => ({
  view,
  query,
  buckets: [],
  measures: [measure],
});

/** Returns a layer that shows measures over time, with one line for each measure. */
export const course = (view: DataViewName, query: string, measures: readonly Measure[]): LayerDefinition => ({
  view,
  query,
  buckets: [overTime()],
  measures,
});

/**
 * Returns a layer that shows one measure over time, split into lines. `part`: the bucket that splits the data, such as one for each node.
 */
export const courseBy = (
  view: DataViewName,
  query: string,
  part: Bucket,
  measure: Measure,
): LayerDefinition => ({ view, query, buckets: [overTime(), part], measures: [measure] });

/** KQL for events of Dyno's collector about nodes. {@link OF_HOSTS} is the KQL for its events about machines. */
export const OF_NODES = 'metricset.name: "node"';
export const OF_HOSTS = 'metricset.name: "host"';

export const byNode = (): Bucket => by('elasticsearch.node.name', { label: 'Node' });
export const byHost = (): Bucket => by('host.name', { label: 'Host' });

/** Colours by their meaning. They suit the light and the dark theme. */
export const COLOURS = {
  ...forOutcomes(({ colour }) => colour),
  low: '#a6c8ea',
  middle: '#4f8bc9',
  high: '#d36086',
} as const;

/**
 * Text for panels of latency. For some tasks, the panel shows the response time, which starts when the request is sent and not when it was
 * due. The text explains this.
 */
export const RESPONSE_TIMES =
  'For tasks whose clients wait for their answers this is the response time, which hides most of a stall.';
