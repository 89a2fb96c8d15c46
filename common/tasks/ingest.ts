/** `ingest`: sends documents in bulk requests. Documents that are rejected with 429 are sent again after a pause. */
import * as z from 'zod';
import { bytes, count, duration, exactlyOne } from '../fields/schema';
import { parseBytes } from '../units/bytes';
import { showValue, type Problem } from '../problem';
import { durationMs } from '../units/duration';
import { formatNumber } from '../units/format';
import { defineTaskKind } from './kind';
import { PARSE_ROWS, parseJob, parseProblems, parseSchema, parseText, type ParseJob } from './parse';
import {
  fileOfSource,
  SOURCE_ROWS,
  sourceJob,
  sourceName,
  sourceProblems,
  sourceSchema,
  type SourceJob,
} from './source';
import {
  actionsSchema,
  idsSchema,
  paramsSchema,
  routingSchema,
  updateSchema,
  WRITE_ROWS,
  writeIndexProblems,
  writeJob,
  writeProblems,
  writeQuery,
  writesText,
  writtenInto,
  type WriteJob,
} from './writes';

const bulk = z
  .strictObject({
    /**
     * Number of documents in each bulk request.
     * @example 3000
     */
    docs: count(1, 1_000_000).optional(),
    /**
     * Maximum size of the body of a bulk request. Only a single document that is larger exceeds it.
     * @example 5mb
     */
    bytes: bytes().optional(),
    /**
     * Documents that count as *accepted*. `by-document` (the default): all stored documents. `as-a-whole`: only documents in bulk requests
     * without a failure, because some clients treat a bulk request with a failure as failed as a whole. The stored documents of a failed
     * bulk request then count as *disregarded*. Version conflicts and missing documents are not failures.
     * @example as-a-whole
     */
    counted: z.enum(['by-document', 'as-a-whole']).optional(),
  })
  .superRefine(exactlyOne('docs', 'bytes'));

const retries = z
  .strictObject({
    /**
     * Maximum number of retries of a rejected document. After the last retry, the document counts as *rejected*. 0 disables retries.
     * @example 0
     */
    attempts: count(0, 100).default(5),
    /**
     * Base of the exponential backoff. The pause before retry n (from 0) is a random time between 0 and min(`max`, `base` x 2^n) (full
     * jitter).
     * @example 50ms
     */
    base: duration().default('100ms'),
    /**
     * Maximum pause before a retry.
     * @example 5s
     */
    max: duration().default('10s'),
  })
  .prefault({});

export interface IngestJob {
  source: SourceJob;
  /** Job that parses raw lines into documents. Null if documents are sent unchanged. */
  parse: ParseJob | null;
  bulk: { docs: number } | { bytes: number };
  /** Set if a bulk request with a document that is not stored counts as failed as a whole. */
  asAWhole?: true;
  pipeline?: string;
  /** Bulk actions and ids of the documents. Absent if every document is indexed with an id that Elasticsearch generates. */
  writes?: WriteJob;
  /** Parameters of the query string in addition to the pipeline; absent if there are no others. */
  params?: string;
  retries: { attempts: number; baseMs: number; maxMs: number };
}

/**
 * Returns a problem if `as-a-whole` is combined with retries. A retry contains only the rejected documents, so no response covers the whole
 * bulk request.
 */
function wholeBulkProblems(
  { bulk: { counted }, retries: { attempts } }: { bulk: { counted?: string }; retries: { attempts: number } },
  path: string,
): Problem[] {
  if (counted !== 'as-a-whole' || attempts === 0) return [];
  return [
    {
      code: 'definition.bulk',
      path: `${path}.bulk.counted`,
      message: `rejected documents are sent again up to ${attempts} times without the stored ones, so no answer is about the whole bulk`,
      found: showValue(counted),
      allowed: 'retries: { attempts: 0 } for as-a-whole, or by-document',
    },
  ];
}

/** The settings of an ingest task as written in the definition. They may be incomplete. */
interface Written {
  bulk?: { bytes?: unknown };
  source?: { generator?: unknown };
  parse?: { by?: unknown };
}

export const ingest = defineTaskKind({
  name: 'ingest',
  schema: z.strictObject({
    /**
     * Source of the documents.
     * @example { generator: apache-logs }
     */
    source: sourceSchema,
    /**
     * Size of each bulk request.
     * @example { bytes: 5mb }
     */
    bulk: bulk.prefault({ docs: 1000 }),
    /**
     * How raw lines are parsed into documents before they are indexed. See [parsing raw lines](parsing.md).
     * @example { pattern: '%{COMBINEDAPACHELOG}' }
     */
    parse: parseSchema.optional(),
    /**
     * Name of an ingest pipeline of the target that processes all documents. Documents that the pipeline drops count as *dropped*.
     * Documents that the pipeline sends to another index count as *redirected*.
     * @example my-pipeline
     */
    pipeline: z.string().min(1).optional(),
    /**
     * Shares of the actions of the bulk API, relative to each other. Dyno draws an action for each document. By default, every action is
     * `index`. See [updates and deletes](updates-and-deletes.md).
     * @example { index: 60, update: 30, delete: 10 }
     */
    actions: actionsSchema.optional(),
    /**
     * How the action `update` changes documents. By default, an update contains the whole next document of the source.
     * @example { doc: [response, bytes], retry_on_conflict: 3 }
     */
    update: updateSchema.optional(),
    /**
     * How the ids of documents are chosen. The actions `update` and `delete` require ids.
     * @example { by: random, conflicts: 0.2 }
     */
    ids: idsSchema.optional(),
    /**
     * Routing of the documents. By default, Elasticsearch routes documents by their ids.
     * @example { field: customer }
     */
    routing: routingSchema.optional(),
    /**
     * Query parameters of every bulk request.
     * @example { refresh: wait_for }
     */
    params: paramsSchema.optional(),
    /** Retries of rejected documents. */
    retries,
  }),
  text: 'Sends documents in bulk requests.',
  label: { id: 'dyno.editor.task.ingest', text: 'Ingestion' },
  add: { id: 'dyno.editor.tasks.addIngest', text: 'Add ingestion' },
  first: {
    work: { source: { generator: 'apache-logs' }, bulk: { docs: 1000 } },
    executor: { 'constant-clients': { clients: 1 } },
  },
  form: [
    ...SOURCE_ROWS,
    ...PARSE_ROWS,
    [
      {
        kind: 'either',
        below: 'bulk',
        label: { id: 'dyno.editor.bulk.by', text: 'Bulk size in' },
        options: [
          {
            text: { id: 'dyno.editor.bulk.docs', text: 'Documents' },
            first: 1000,
            field: {
              kind: 'number',
              key: 'docs',
              min: 1,
              placeholder: '1000',
              label: { id: 'dyno.editor.bulk.count', text: 'Documents in a bulk' },
            },
          },
          {
            text: { id: 'dyno.editor.bulk.bytes', text: 'Bytes' },
            first: '5mb',
            field: {
              kind: 'text',
              key: 'bytes',
              placeholder: '5mb',
              required: true,
              label: { id: 'dyno.editor.bulk.size', text: 'Size of a bulk' },
            },
          },
        ],
      },
    ],
    {
      kind: 'closed',
      label: { id: 'dyno.editor.writes.title', text: 'Actions, ids and parameters' },
      rows: WRITE_ROWS,
    },
    {
      kind: 'closed',
      label: { id: 'dyno.editor.retries.title', text: 'Rejected documents and pipeline' },
      rows: [
        [
          {
            kind: 'choice',
            key: 'bulk.counted',
            fallback: 'by-document',
            label: { id: 'dyno.editor.bulk.counted', text: 'Accepted documents' },
            help: {
              id: 'dyno.editor.bulk.countedHelp',
              text: 'Whole bulks require 0 retries.',
            },
            options: [
              {
                value: 'by-document',
                text: { id: 'dyno.editor.bulk.byDocument', text: 'Each stored document' },
              },
              {
                value: 'as-a-whole',
                text: { id: 'dyno.editor.bulk.asAWhole', text: 'Bulks without a failure' },
              },
            ],
          },
          {
            kind: 'number',
            key: 'retries.attempts',
            min: 0,
            max: 100,
            placeholder: '5',
            label: { id: 'dyno.editor.retries.attempts', text: 'Maximum retries' },
            append: { id: 'dyno.editor.retries.times', text: 'times' },
          },
          {
            kind: 'text',
            key: 'retries.base',
            placeholder: '100ms',
            label: { id: 'dyno.editor.retries.base', text: 'First pause' },
            help: { id: 'dyno.editor.retries.baseHelp', text: 'Doubles with each retry.' },
          },
          {
            kind: 'text',
            key: 'retries.max',
            placeholder: '10s',
            label: { id: 'dyno.editor.retries.max', text: 'Longest pause' },
          },
          {
            kind: 'text',
            key: 'pipeline',
            label: { id: 'dyno.editor.ingest.pipeline', text: 'Ingest pipeline' },
            help: {
              id: 'dyno.editor.ingest.pipelineHelp',
              text: 'A pipeline that exists in the target.',
            },
          },
        ],
      ],
    },
  ],
  vary: ({ bulk: size, source, parse }: Written) => [
    size?.bytes === undefined
      ? { key: 'bulk.docs', title: 'Documents per bulk', levels: [500, 1000, 5000] }
      : { key: 'bulk.bytes', title: 'Bulk size', levels: ['1mb', '5mb', '10mb'] },
    ...(parse
      ? parse.by === 'pipeline'
        ? []
        : [{ key: 'parse.workers', title: 'Parsers', levels: [1, 2, 4] }]
      : source?.generator === undefined
        ? []
        : [{ key: 'source.generator', title: 'Documents', levels: ['systembase', 'apache-logs'] }]),
  ],
  sentence: ({ source, bulk: { docs, bytes: size, counted }, parse, pipeline, ...writes }) =>
    [
      `bulks of ${docs === undefined ? size! : `${formatNumber(docs)} ${docs === 1 ? 'document' : 'documents'}`} from ${sourceName(source)}`,
      parse === undefined ? '' : parseText(parse),
      pipeline === undefined ? '' : `through the ingest pipeline ${pipeline}`,
      writesText(writes),
      counted === 'as-a-whole' ? 'a bulk with a document that is not stored counts as failed' : '',
    ]
      .filter(Boolean)
      .join(', '),
  unit: 'docs/s',
  counted: 'Documents',
  answered: 'documents were accepted',
  writes: () => true,
  file: ({ source }) => {
    const found = fileOfSource(source);
    return found && { key: `source.${found.key}`, file: found.file };
  },
  problems: (work, path) => [
    ...sourceProblems(work.source, `${path}.source`),
    ...(work.parse === undefined ? [] : parseProblems({ ...work, parse: work.parse }, path)),
    ...writeProblems(work, path),
    ...wholeBulkProblems(work, path),
  ],
  indexProblems: writeIndexProblems,
  operation: 'bulk',
  job: (work, surroundings): IngestJob => {
    const { source, bulk: size, parse, pipeline, retries: again } = work;
    const writes = writeJob(writtenInto(work, surroundings.index));
    const params = writeQuery(work);
    return {
      source: sourceJob(source, surroundings.resolveFile),
      parse: parseJob(parse),
      bulk: size.docs === undefined ? { bytes: parseBytes(size.bytes!)! } : { docs: size.docs },
      ...(size.counted === 'as-a-whole' ? { asAWhole: true } : {}),
      pipeline: surroundings.pipeline ?? pipeline,
      ...(writes === undefined ? {} : { writes }),
      ...(params === '' ? {} : { params }),
      retries: { attempts: again.attempts, baseMs: durationMs(again.base), maxMs: durationMs(again.max) },
    };
  },
});
