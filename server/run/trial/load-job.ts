/** From the definition of a cell to the load of one trial: names resolved, durations in ms, bodies rendered. */
import { executorJob } from '../../../common/executors/registry';
import { durationMs, type SearchRequest, type TaskDefinition } from '../../../common/experiment/definition';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { documentSources } from '../../../common/experiment/preload';
import type { Plan } from '../../../common/experiment/plan';
import { checkSource, sourceFile } from '../../load/sources/check';
import { checkReservedName } from '../../target-cluster/guard-rails';
import { requestsOf } from '../../../common/experiment/request-sets';
import { deriveSeed } from '../../../common/random';
import { parseBytes } from '../../../common/units/bytes';
import type {
  IngestJob,
  LoadJob,
  LoadTarget,
  OperationJob,
  TaskJob,
  TransactionJob,
} from '../../load/contract';
import { parseJob } from './parse';
import { queryString, replayJob } from './replay';

export interface LoadPlace {
  indices: string[];
  target: LoadTarget;
  /** Folder that files of the definition are relative to. */
  folder: string;
  /** Pipelines of the trial, by the task whose lines they parse. */
  pipelines?: ReadonlyMap<string, string>;
  /** Tells trials apart, so that each repetition has documents of its own; the same in every run of the definition. */
  trialSeed: string;
}

function ingestJob(
  { source, bulk, parse, pipeline, retries }: NonNullable<TaskDefinition['ingest']>,
  folder: string,
  own: string | undefined,
): IngestJob {
  return {
    kind: 'ingest',
    parse: parseJob(parse),
    source:
      source.generator === undefined
        ? {
            kind: 'file',
            file: sourceFile(source.file!, folder),
            format: source.format,
            repeat: source.repeat,
          }
        : { kind: 'generator', generator: source.generator },
    bulk: bulk.docs === undefined ? { bytes: parseBytes(bulk.bytes!)! } : { docs: bulk.docs },
    pipeline: own ?? pipeline,
    retries: { attempts: retries.attempts, baseMs: durationMs(retries.base), maxMs: durationMs(retries.max) },
  };
}

const rendered = ({ name, body, params }: SearchRequest): TransactionJob['parts'][number] => ({
  name,
  body: JSON.stringify(body),
  params: queryString(params),
});

function operationJob(
  task: TaskDefinition,
  definition: CellDefinition,
  { folder, pipelines }: LoadPlace,
): OperationJob {
  const { name, ingest, search, transaction, replay } = task;
  if (ingest) return ingestJob(ingest, folder, pipelines?.get(name));
  if (replay) return replayJob({ ...task, replay }, definition, folder);
  if (search) {
    const requests = requestsOf(search).map((request) => ({ ...rendered(request), weight: request.weight }));
    return { kind: 'search', requests };
  }
  return {
    kind: 'transaction',
    parts: requestsOf(transaction!).map(rendered),
    gapMs: durationMs(transaction!.gap),
  };
}

const taskJob = (task: TaskDefinition, definition: CellDefinition, place: LoadPlace): TaskJob => ({
  name: task.name,
  operation: operationJob(task, definition, place),
  executor: executorJob(task.executor, definition),
});

export function loadJob(definition: CellDefinition, place: LoadPlace): LoadJob {
  const { measure, tasks, seed } = definition;
  return {
    indices: place.indices,
    route: definition.index.route,
    target: place.target,
    tasks: tasks.map((task) => taskJob(task, definition, place)),
    seed: deriveSeed(seed, place.trialSeed),
    warmupMs: durationMs(measure.warmup),
    measureMs: measure.duration === undefined ? null : durationMs(measure.duration),
    documents: measure.documents ?? null,
    drainMs: durationMs(measure.drain),
  };
}

/** What needs no cluster to be known to be wrong. Rejects with a DynoError. */
export async function checkSources({ plan, folder }: { plan: Plan; folder: string }): Promise<void> {
  const checked = new Set<string>();
  for (const { definition: own } of plan.cells) {
    checkReservedName(own.index.name);
    for (const { file: name, format } of documentSources(own)) {
      if (name === undefined) continue;
      const file = sourceFile(name, folder);
      if (checked.has(`${format} ${file}`)) continue;
      checked.add(`${format} ${file}`);
      await checkSource(file, format);
    }
  }
}
