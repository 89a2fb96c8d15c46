/** APIs of index templates, data streams and ingest pipelines. */
import * as z from 'zod';
import { changes, having, reads, type Change, type Endpoint } from './ask';

const pathIn =
  (api: string) =>
  (name: string): string =>
    `/${api}/${encodeURIComponent(name)}`;
const template = pathIn('_index_template');
const stream = pathIn('_data_stream');
const pipeline = pathIn('_ingest/pipeline');

const templates = z.looseObject({
  index_templates: z
    .array(
      z.looseObject({ name: z.string(), index_template: z.looseObject({ _meta: z.unknown() }).optional() }),
    )
    .default([]),
});
export type IndexTemplate = z.output<typeof templates>['index_templates'][number];

export const indexTemplate = (name: string): Endpoint<z.output<typeof templates>> =>
  reads(template(name), templates);

/** Reads the name and the `_meta` of every index template. */
export const templateMarks = (): Endpoint<z.output<typeof templates>> =>
  reads('/_index_template', templates, {
    query: { filter_path: 'index_templates.name,index_templates.index_template._meta' },
    ceiling: 'statistics',
  });

export const templateExists = (name: string): Change => changes('HEAD', template(name));

export const putIndexTemplate = (name: string, body: object, isExact = false): Change =>
  changes('PUT', template(name), { body, ...(isExact ? { isExact } : {}) });

export const deleteIndexTemplate = (name: string): Change => changes('DELETE', template(name));

/** Reads complete templates. `api`: `_index_template`, `_template`, or `_component_template/<name>`. */
export const wholeTemplates = <T>(api: string, answer: z.ZodType<T>): Endpoint<T> =>
  reads(`/${api}`, answer, { ceiling: 'statistics' });

export const putDataStream = (name: string): Change => changes('PUT', stream(name));

export const deleteDataStream = (name: string): Change => changes('DELETE', stream(name));

type Pipelines = Record<string, unknown> | null;

export const ingestPipeline = (name: string): Endpoint<Pipelines> => reads(pipeline(name), having());

/** Reads `_meta.dyno` of the ingest pipelines, by pipeline name. */
export const pipelineMarks = (): Endpoint<Pipelines> =>
  reads('/_ingest/pipeline', having(), { query: { filter_path: '*._meta.dyno' } });

export const putIngestPipeline = (name: string, body: object): Change =>
  changes('PUT', pipeline(name), { body });

export const deleteIngestPipeline = (name: string): Change => changes('DELETE', pipeline(name));

/** Runs a pipeline on documents without storing anything. The pipeline is part of the body, so errors in it are reported. */
export const simulatePipeline = (
  body: object,
  sources: readonly unknown[],
): Endpoint<{ docs: { doc?: { _source: unknown } }[] }> => ({
  method: 'POST',
  path: '/_ingest/pipeline/_simulate',
  body: { pipeline: body, docs: sources.map((source) => ({ _source: source })) },
  repeatable: true,
  ceiling: 'documents',
  answer: having('docs[]'),
});
