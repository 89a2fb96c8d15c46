/** Reads the rejections within a time window, for alerts. The samples of ingest tasks contain the rejections that clients received. */
import { addCauses, causeOfReason } from '../../common/alerting/rejections/cause';
import {
  noCauses,
  type Causes,
  type TimeWindow,
  type WindowFigures,
} from '../../common/alerting/rejections/figures';
import { groupingOf, type Watched } from '../../common/alerting/rejections/params';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { reasonsOf } from '../../common/measurement/failures';
import type { SampleDocument } from '../../common/measurement/trial';
import { ingest } from '../../common/tasks/ingest';
import { readNodeRejections } from './rejections-nodes';
import { search } from './search';
import { withinSpace, type SpaceId } from './space';
import { RUNS, SAMPLES } from './stored';

export interface RejectionsReader {
  /**
   * Reads how many documents or requests were rejected in the time window. The result has one element for each experiment, target, node or
   * cluster with data, depending on the grouping. Rejects with a DynoError `results.unauthorised`, `results.forbidden` or
   * `results.refused`, or with the errors of the client.
   */
  read(watched: Watched, window: TimeWindow): Promise<WindowFigures[]>;
}

/**
 * Creates a reader. Rejections that clients received are read only from experiments in the Kibana space `space`. Rejections of nodes are
 * read in all spaces, because nodes do not belong to a space.
 */
export const createRejectionsReader = (client: ElasticsearchClient, space: SpaceId): RejectionsReader => ({
  read: (watched, window) =>
    watched.measure === 'documents'
      ? readDocumentRejections(client, space, watched, window)
      : readNodeRejections(client, space, watched, window),
});

/** Maximum number of groups, which are experiments or targets. */
const MOST_GROUPS = 1000;
/** Maximum number of runs that are read for each group. */
const MOST_RUNS = 20;
/** Maximum number of tasks that are read for each run. */
const MOST_TASKS = 20;
/** Number of samples that are read for each task to find out the reasons of rejections. */
const MOST_REASONS = 5;

interface Sum {
  value: number;
}
interface Task {
  key: string;
  /** Contains one bucket, whose key is the kind of the task. Empty for samples of older versions of Dyno, which do not contain the kind. */
  kind: { buckets: { key: string }[] };
  attempted: Sum;
  rejected: Sum;
  refused: { samples: { hits: { hits: { _source: Pick<SampleDocument, 'failures'> }[] } } };
}
interface Run {
  key: string;
  tasks: { buckets: Task[] };
}
interface Part {
  runs: { buckets: Run[] };
}
interface Group {
  key: string;
  newest: { hits: { hits: { _source: Pick<SampleDocument, 'experiment'> }[] } };
  counted: Part;
  silenced: Part;
}

const PROVOKED = { term: { 'experiment.provokesRejections': true } };
const NOTHING = { match_none: {} };

const sum = (field: string): object => ({ sum: { field } });

/**
 * Returns the aggregations that count attempted and rejected documents by run and task. If `reasons` is true, they also return samples that
 * contain the reasons of rejections.
 */
const byTask = (reasons: boolean): object => ({
  runs: {
    terms: { field: 'run.id', size: MOST_RUNS, order: { newest: 'desc' } },
    aggs: {
      newest: { max: { field: '@timestamp' } },
      tasks: {
        terms: { field: 'task', size: MOST_TASKS },
        aggs: {
          kind: { terms: { field: 'taskKind', size: 1 } },
          attempted: sum('counts.attempted'),
          rejected: sum('counts.rejected'),
          ...(reasons ? { refused } : {}),
        },
      },
    },
  },
});

const refused = {
  filter: { range: { 'counts.rejected': { gt: 0 } } },
  aggs: {
    samples: {
      top_hits: { size: MOST_REASONS, sort: [{ 'counts.rejected': 'desc' }], _source: ['failures'] },
    },
  },
};

async function readDocumentRejections(
  client: ElasticsearchClient,
  space: SpaceId,
  watched: Watched,
  { from, to }: TimeWindow,
): Promise<WindowFigures[]> {
  const { experiments, target, silenceProvoked } = watched;
  const provoked = silenceProvoked ? PROVOKED : NOTHING;
  const filter = [
    { range: { '@timestamp': { gte: from, lt: to, format: 'epoch_millis' } } },
    ...(experiments.length > 0 ? [{ terms: { 'experiment.id': experiments } }] : []),
    ...(target === undefined ? [] : [{ term: { 'experiment.target': target } }]),
  ];
  const { aggregations } = await search<never, { groups: { buckets: Group[] } }>(client, SAMPLES, {
    size: 0,
    query: withinSpace({ bool: { filter } }, space),
    aggs: {
      groups: {
        terms: { field: FIELDS[groupingOf(watched)], size: MOST_GROUPS },
        aggs: {
          newest: { top_hits: { size: 1, sort: [{ '@timestamp': 'desc' }], _source: ['experiment'] } },
          counted: { filter: { bool: { must_not: provoked } }, aggs: byTask(true) },
          silenced: { filter: provoked, aggs: byTask(false) },
        },
      },
    },
  });
  const groups = aggregations?.groups.buckets ?? [];
  const searches = await searchTasks(client, groups);
  const byTarget = groupingOf(watched) === 'target';
  return groups.map((group) => figuresOf(group, byTarget, searches));
}

const FIELDS: Readonly<Record<string, string>> = {
  experiment: 'experiment.id',
  target: 'experiment.target',
};

interface RunTasks {
  run: { id: string };
  definition?: { tasks?: { name: string; ingest?: unknown }[] };
}

const kindOf = ({ kind }: Task): string | undefined => kind.buckets[0]?.key;

/**
 * Returns the tasks that are not ingest tasks, as `<run id> <task>`. Only runs with old samples are considered, because these samples do
 * not contain the kind of their task. The kinds are read from the definitions of the runs.
 */
async function searchTasks(client: ElasticsearchClient, groups: readonly Group[]): Promise<Set<string>> {
  const ids = groups
    .flatMap(({ counted, silenced }) => [...counted.runs.buckets, ...silenced.runs.buckets])
    .filter(({ tasks }) => tasks.buckets.some((task) => kindOf(task) === undefined))
    .map(({ key }) => key);
  if (ids.length === 0) return new Set();
  const { hits } = await search<RunTasks>(client, RUNS, {
    size: MOST_GROUPS,
    query: { terms: { 'run.id': [...new Set(ids)] } },
    _source: ['run.id', 'definition.tasks'],
  });
  return new Set(
    hits.flatMap(({ _source: { run, definition } }) =>
      (definition?.tasks ?? [])
        .filter(({ ingest }) => ingest === undefined || ingest === null)
        .map(({ name }) => `${run.id} ${name}`),
    ),
  );
}

interface IngestTask extends Task {
  run: string;
}

function ingestTasks({ runs }: Part, searches: ReadonlySet<string>): IngestTask[] {
  const isIngest = (run: string, task: Task): boolean => {
    const kind = kindOf(task);
    return kind === undefined ? !searches.has(`${run} ${task.key}`) : kind === ingest.name;
  };
  return runs.buckets.flatMap(({ key: run, tasks }) =>
    tasks.buckets.filter((task) => isIngest(run, task)).map((task) => ({ ...task, run })),
  );
}

const total = (tasks: readonly IngestTask[], of: 'attempted' | 'rejected'): number =>
  tasks.reduce((all, task) => all + task[of].value, 0);

function figuresOf(group: Group, byTarget: boolean, searches: ReadonlySet<string>): WindowFigures {
  const counted = ingestTasks(group.counted, searches);
  const name = group.newest.hits.hits[0]?._source.experiment.name;
  const causes = noCauses();
  for (const task of counted) addCauses(causes, causesOf(task));
  const worst = [...counted].sort((a, b) => b.rejected.value - a.rejected.value)[0];
  return {
    group: group.key,
    name: byTarget ? group.key : (name ?? group.key),
    attempted: total(counted, 'attempted'),
    rejected: total(counted, 'rejected'),
    silenced: total(ingestTasks(group.silenced, searches), 'attempted'),
    causes,
    restarts: 0,
    run: worst?.run ?? null,
  };
}

/**
 * Divides the number of rejections of a task by cause. Only some samples with rejections contain the reasons. All rejections are divided in
 * the same proportion as those in these samples.
 */
function causesOf({ rejected, refused: { samples } }: Task): Partial<Causes> {
  const seen = noCauses();
  for (const { _source } of samples.hits.hits) {
    for (const { count, example } of Object.values(_source.failures ?? {}).flatMap((failure) =>
      reasonsOf(failure),
    )) {
      const cause = causeOfReason(example);
      if (cause !== undefined) seen[cause] += count;
    }
  }
  const all = Object.values(seen).reduce((sum, count) => sum + count, 0);
  if (all === 0) return {};
  const scaled = Object.entries(seen).map(([cause, count]) => [
    cause,
    Math.round((count / all) * rejected.value),
  ]);
  return Object.fromEntries(scaled) as Partial<Causes>;
}
