/** Creates, finds, reads and removes the ingest pipelines of a trial. Only pipelines with Dyno's mark (`_meta.dyno`) are removed. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { PipelineTimes } from '../../common/measurement/parse';
import { MORE_NEEDS } from '../../common/privileges';
import { inputError, runError } from '../../common/problem';
import { counter, having } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { ask, askIfOffered, askIfThere } from './answer';
import { readMark, type IndexMark } from './mark';

export interface PipelineBody {
  description: string;
  processors: object[];
  on_failure?: object[];
}

interface IngestNode {
  name: string;
  roles?: string[];
  ingest?: { processors?: { type: string }[] };
}

/**
 * Checks that all ingest nodes have the processors of the pipeline. Rejects with a DynoError `target.no-processor` (input) that names the
 * missing processors. If the cluster does not report its processors, the check passes. In this case, {@link proveIngestPipeline} detects
 * missing processors.
 */
export async function checkProcessors(
  client: ElasticsearchClient,
  wanted: readonly string[],
  path: string,
): Promise<void> {
  const fields = ['name', 'roles', 'ingest.processors.type'];
  const answer = await askIfOffered(
    client,
    api.nodes('ingest', fields, having<IngestNode>()),
    'ask which ingest processors the nodes have',
  );
  for (const { name, roles = ['ingest'], ingest } of Object.values(answer?.nodes ?? {})) {
    if (!roles.includes('ingest')) continue;
    const known = new Set((ingest?.processors ?? []).map(({ type }) => type));
    const missing = wanted.filter((type) => !known.has(type));
    if (missing.length === 0) continue;
    const which = missing.length === 1 ? 'processor' : 'processors';
    throw inputError(
      'target.no-processor',
      path,
      `the target cannot parse: its node ${name} lacks the ingest ${which} ${missing.join(', ')} (module ingest-common)`,
      { allowed: 'by: workers, or an Elasticsearch with all of its modules' },
    );
  }
}

/**
 * Checks the pipeline without creating it: the target simulates it with one document. Rejects with a DynoError `target.illegal-pipeline`
 * (input).
 */
export async function proveIngestPipeline(
  client: ElasticsearchClient,
  body: PipelineBody,
  path: string,
): Promise<void> {
  await ask(client, api.simulatePipeline(body, [{ message: 'a line' }]), 'parse with this pattern', {
    illegal: ({ error }) => {
      throw inputError('target.illegal-pipeline', path, error.message);
    },
  });
}

/** Creates the pipeline. Rejects with a DynoError `target.pipeline-exists` if the name is taken. */
export async function createIngestPipeline(
  client: ElasticsearchClient,
  name: string,
  body: PipelineBody,
  mark: Omit<IndexMark, 'created'>,
): Promise<void> {
  if ((await readPipeline(client, name)) !== undefined)
    throw runError('target.pipeline-exists', '', `the ingest pipeline ${name} exists already`);
  const _meta = { dyno: { ...mark, created: new Date().toISOString() } };
  await ask(
    client,
    api.putIngestPipeline(name, { ...body, _meta }),
    `create the ingest pipeline ${name} (cluster privilege \`${MORE_NEEDS.pipelines}\`)`,
  );
}

/**
 * Deletes the pipeline. Returns false if the pipeline does not exist. Rejects with a DynoError `target.pipeline-not-ours` if the pipeline
 * has no `_meta.dyno`, because then Dyno did not create it.
 */
export async function dropIngestPipeline(client: ElasticsearchClient, name: string): Promise<boolean> {
  const found = await readPipeline(client, name);
  if (found === undefined) return false;
  if (readMark(found) === undefined)
    throw runError('target.pipeline-not-ours', '', `${name} is not deleted: it was not created by Dyno`);
  const doing = `delete the ingest pipeline ${name}`;
  return (await ask(client, api.deleteIngestPipeline(name), doing, { missing: () => false })) !== false;
}

async function readPipeline(client: ElasticsearchClient, name: string): Promise<unknown> {
  const found = await askIfThere(client, api.ingestPipeline(name), `look at the ingest pipeline ${name}`);
  return found?.[name];
}

/**
 * Returns all pipelines that Dyno created (those with `_meta.dyno`). Empty if the credentials may not read pipelines: such credentials
 * cannot have created any.
 */
export async function findMarkedPipelines(
  client: ElasticsearchClient,
): Promise<{ pipeline: string; mark: IndexMark }[]> {
  const doing = 'look for ingest pipelines that Dyno created';
  const found = await askIfOffered(client, api.pipelineMarks(), doing);
  return Object.entries(found ?? {})
    .flatMap(([pipeline, body]) => {
      const mark = readMark(body);
      return mark === undefined ? [] : [{ pipeline, mark }];
    })
    .sort((a, b) => (a.pipeline < b.pipeline ? -1 : 1));
}

const stats = {
  count: counter().optional(),
  time_in_millis: counter().optional(),
  failed: counter().optional(),
};

const ingestStats = z.looseObject({
  ingest: z
    .looseObject({
      pipelines: z
        .record(
          z.string(),
          z.looseObject({
            ...stats,
            processors: z
              .array(z.record(z.string(), z.looseObject({ stats: z.looseObject(stats).optional() })))
              .optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});

/** Counters of ingest pipelines, by name of the pipeline. Each counter is a sum over all nodes, since the start of the node. */
export type PipelineCounters = Record<string, PipelineTimes>;

/**
 * Reads the counters of these pipelines. `tag`: tag of the processor that parses documents. If this processor fails on a document, the
 * document counts as `unparsed`.
 */
export async function readPipelines(
  client: ElasticsearchClient,
  names: readonly string[],
  tag: string,
): Promise<PipelineCounters> {
  if (names.length === 0) return {};
  const answer = await askIfOffered(
    client,
    api.nodes('stats/ingest', ['ingest.pipelines'], ingestStats),
    'read the ingest statistics of the nodes (cluster privilege `monitor`)',
  );
  const counters: PipelineCounters = {};
  for (const { ingest } of Object.values(answer?.nodes ?? {})) {
    for (const name of names) {
      const own = ingest?.pipelines?.[name];
      if (own === undefined) continue;
      const sum = (counters[name] ??= { documents: 0, timeMs: 0, failed: 0, unparsed: 0 });
      sum.documents += own.count ?? 0;
      sum.timeMs += own.time_in_millis ?? 0;
      sum.failed += own.failed ?? 0;
      const parser = own.processors
        ?.flatMap((processor) => Object.entries(processor))
        .find(([key]) => key.endsWith(`:${tag}`));
      sum.unparsed =
        parser === undefined || sum.unparsed === null ? null : sum.unparsed + (parser[1].stats?.failed ?? 0);
    }
  }
  return counters;
}

/**
 * Returns the difference between two readings of the counters. Null if one reading is missing, or if a node restarted between the readings.
 */
export function pipelineDelta(
  name: string,
  before: PipelineCounters | null,
  after: PipelineCounters | null,
): PipelineTimes | null {
  const late = after?.[name];
  if (late === undefined || before === null) return null;
  // Before the first document, the cluster reports no counters.
  const early = before[name] ?? { documents: 0, timeMs: 0, failed: 0, unparsed: 0 };
  const delta: PipelineTimes = {
    documents: late.documents - early.documents,
    timeMs: late.timeMs - early.timeMs,
    failed: late.failed - early.failed,
    unparsed: late.unparsed === null ? null : late.unparsed - (early.unparsed ?? 0),
  };
  return delta.documents < 0 || delta.timeMs < 0 ? null : delta;
}
