/** The nights of an experiment: what its completed runs tell of its history, read many at once. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { Definition } from '../../common/experiment/definition';
import { resolvePlan } from '../../common/experiment/plan';
import type { RunDocument } from '../../common/experiment/run';
import { nightOf, PER_CELL, type Night, type NightFacts } from '../../common/history/night';
import type { Annotations } from '../../common/history/annotations';
import {
  asksCluster,
  partOf,
  type AnalysedNights,
  type History,
  type HistoryFilter,
} from '../../common/history/history';
import type { MissedTimes } from '../../common/experiment/missed';
import { analyseNightsHere, type AnalyseNights } from './night-analysis';
import { createScheduleLog, MOST_MISSED } from './schedule-log';
import { MadeOnce, ReadOnce, type Stamped } from './read-once';
import { refresh, search, searchIndex, searchPages } from './search';
import { withinSpace, type SpaceId } from './space';
import { RUNS, TRIALS, trialOf, type StoredTrial } from './stored';
import { keptNight, nightKept, unpackCluster, type PackedNight } from './stored-night';
import { parseTime } from '../../common/units/time';

export interface NamedExperiment {
  id: string;
  name: string;
}

export interface Nights {
  /** Experiments with runs, of this id or name; the one of this id alone, where there is one. */
  find(idOrName: string): Promise<NamedExperiment[]>;
  /** In the order of time. */
  nights(experiment: NamedExperiment): Promise<NightFacts[]>;
  /** Of all of its runs that completed their plan; without nights where there are none. */
  history(experiment: NamedExperiment, filter?: HistoryFilter, annotations?: Annotations): Promise<History>;
}

/** What was found in nights, for all readers of the same results whose users may see the same of them. */
export class NightMemory {
  readonly found = new MadeOnce<AnalysedNights>(
    MOST_NUMBERS,
    ({ nights, series }) => 1 + PER_CELL * series.length * nights.length,
  );
  /** Metrics of the cluster that explained changes: the same nights explain them at every look. */
  readonly clusters = new ReadOnce<Night['cluster']>(
    MOST_NUMBERS,
    (cluster) => 1 + cluster.reduce((sum, { values }) => sum + values.length, 0),
  );

  constructor(readonly analyse: AnalyseNights) {}
}

/** Numbers that each of the two keeps, some 24 bytes each: 4,000 nights of 20 cells and 10 metrics. */
const MOST_NUMBERS = 2_500_000;

/** `analyse`: in a server, in a thread of its own, so that other requests need not wait. */
export const nightMemory = (analyse: AnalyseNights = analyseNightsHere): NightMemory =>
  new NightMemory(analyse);

/** Runs that are told at once, by what they are sorted by: an index setting's default. */
const LOOK_PAGE = 10_000;

/** Nights of one search, some 3 KB each, and more with the metrics of the cluster. */
const SLICE = 100;
const SLICE_WITH_CLUSTER = 50;

/** Trials, or definitions, of one search. */
const PAGE = 500;

/** Another one once any of the runs has changed. */
const stampOf = (runs: readonly Look[]): string =>
  createHash('sha256').update(JSON.stringify(runs)).digest('hex');

/** Runs whose trials are read together, each some 100 KB without their histograms: the cluster may be under test. */
const RUNS_AT_ONCE = 10;

/** Experiments of one name that are told. */
const MOST_NAMED = 20;

interface Look extends Stamped {
  /** ISO 8601 UTC. */
  at: string;
  /** That holds it. */
  index: string;
}

/** There is an index for each month: those that hold some runs are asked, and not the hundred that a long history has. */
function indicesOf(runs: readonly Look[]): string {
  const indices = [...new Set(runs.map(({ index }) => index))];
  // What is found by an alias, its index by itself may not be asked for.
  return indices.every((index) => index.startsWith(`${RUNS}-`)) ? indices.join(',') : `${RUNS}-*`;
}

interface NamedAggregations {
  experiments: { buckets: { key: string; names: { buckets: { key: string }[] } }[] };
}

interface NightFields {
  'run.id': [string];
  'night.figures'?: [string];
  'night.cluster'?: [string];
}

/** By this nights are told and known again without a look into their documents; `_seq_no` grows with every write to the index. */
const IN_TIME = [
  { '@timestamp': { order: 'asc', unmapped_type: 'date' } },
  { 'run.id': { order: 'asc', unmapped_type: 'keyword' } },
  { 'run.started': { order: 'asc', unmapped_type: 'date' } },
  { _seq_no: { order: 'asc' } },
];

/** Sees what was written before it. Rejects as the results reader does. */
export function createNights(
  client: ElasticsearchClient,
  { space, memory = nightMemory() }: { space?: SpaceId; memory?: NightMemory } = {},
): Nights {
  const visible = (query: object): object => (space === undefined ? query : withinSpace(query, space));

  async function named(
    field: 'experiment.id' | 'experiment.name',
    value: string,
  ): Promise<NamedExperiment[]> {
    const { aggregations } = await search<never, NamedAggregations>(client, RUNS, {
      size: 0,
      query: visible({ term: { [field]: value } }),
      aggs: {
        experiments: {
          terms: { field: 'experiment.id', size: MOST_NAMED },
          aggs: { names: { terms: { field: 'experiment.name', size: 1 } } },
        },
      },
    });
    const buckets = aggregations?.experiments.buckets ?? [];
    return buckets.map(({ key: id, names }) => ({ id, name: names.buckets[0]?.key ?? id }));
  }

  /** In the order of time. */
  async function look(experiment: string): Promise<Look[]> {
    const filter = [{ term: { 'experiment.id': experiment } }, { term: { 'run.state': 'completed' } }];
    const found: Look[] = [];
    const pages = searchPages(client, RUNS, {
      size: LOOK_PAGE,
      query: visible({ bool: { filter } }),
      sort: IN_TIME,
      stored_fields: '_none_',
    });
    for await (const hits of pages) {
      for (const { sort, _index: index } of hits) {
        const [, id, started, ...more] = sort as [number, string, number, number];
        found.push({ id, index, at: new Date(started).toISOString(), stamp: [started, ...more].join(' ') });
      }
    }
    return found;
  }

  /** Returns the nights that the documents of these runs contain. */
  async function readKept(runs: readonly Look[], withCluster: boolean): Promise<PackedNight[]> {
    const at = new Map(runs.map((run) => [run.id, run.at]));
    const { hits } = await searchIndex(
      client,
      { index: indicesOf(runs), what: RUNS },
      {
        size: runs.length,
        query: { terms: { 'run.id': [...at.keys()] } },
        stored_fields: '_none_',
        docvalue_fields: ['run.id', 'night.figures', ...(withCluster ? ['night.cluster'] : [])],
      },
    );
    return hits.flatMap(({ fields }) => {
      const own = fields as unknown as NightFields;
      const [run] = own['run.id'];
      const [figures, cluster] = [own['night.figures']?.[0], own['night.cluster']?.[0]];
      return nightKept({ run, at: at.get(run)! }, { figures, cluster }) ?? [];
    });
  }

  /** Of runs that were kept without a night. */
  async function makeOfTrials(runs: readonly Look[]): Promise<Map<string, Night>> {
    const found = new Map<string, Night>();
    for (let from = 0; from < runs.length; from += RUNS_AT_ONCE) {
      const ids = runs.slice(from, from + RUNS_AT_ONCE).map(({ id }) => id);
      const query = { terms: { 'run.id': ids } };
      const documents = await search<
        Pick<RunDocument, 'run' | 'definition' | 'plan' | 'provenance' | 'progress' | 'verdict'>
      >(client, RUNS, {
        size: ids.length,
        query,
        _source: ['run', 'definition', 'plan', 'provenance', 'progress', 'verdict'],
      });
      const trials = await readTrials(query);
      for (const { _source: run } of documents.hits) {
        const own = trials.filter((trial) => trial.run.id === run.run.id).map(trialOf);
        found.set(run.run.id, nightOf(run, resolvePlan(run), own));
      }
    }
    return found;
  }

  async function readTrials(query: object): Promise<StoredTrial[]> {
    const found: StoredTrial[] = [];
    const pages = searchPages<StoredTrial>(client, TRIALS, {
      size: PAGE,
      query,
      sort: [{ 'trial.id': { order: 'asc', unmapped_type: 'keyword' } }],
      // Histograms are most of a trial, and its percentiles are fields beside them.
      _source: {
        excludes: [
          'tasks.*Histogram',
          'tasks.replay',
          'tasks.failures',
          'tasks.retries',
          'factors',
          'figures',
        ],
      },
    });
    for await (const hits of pages) for (const { _source } of hits) found.push(_source);
    return found;
  }

  /** Reads the nights of these runs, a slice at a time. A night that its run's document lacks is made of the run's trials. */
  async function* read(runs: readonly Look[], withCluster: boolean): AsyncGenerator<PackedNight[]> {
    const size = withCluster ? SLICE_WITH_CLUSTER : SLICE;
    for (let from = 0; from < runs.length; from += size) {
      const slice = runs.slice(from, from + size);
      const kept = await readKept(slice, withCluster);
      const found = new Set(kept.map(({ run }) => run));
      const made = await makeOfTrials(slice.filter(({ id }) => !found.has(id)));
      yield [
        ...kept,
        ...[...made.values()].map((night): PackedNight => {
          const { figures, cluster } = keptNight(night);
          return { run: night.run, at: night.at, figures, cluster: withCluster ? cluster : undefined };
        }),
      ];
    }
  }

  /** Metrics of the cluster of these runs, by their ids. */
  const clustersOf = (runs: readonly Look[]): Promise<Map<string, Night['cluster']>> =>
    memory.clusters.of(runs, async (missing) => {
      const wanted = new Set(missing);
      const found = new Map<string, Night['cluster']>();
      for await (const part of read(
        runs.filter(({ id }) => wanted.has(id)),
        true,
      ))
        for (const night of part) found.set(night.run, unpackCluster(night));
      return found;
    });

  /** Of some runs, by their ids. */
  async function readDefinitions(runs: readonly string[]): Promise<Map<string, Definition>> {
    const found = new Map<string, Definition>();
    for (let from = 0; from < runs.length; from += PAGE) {
      const ids = runs.slice(from, from + PAGE);
      const { hits } = await search<Pick<RunDocument, 'run' | 'definition'>>(client, RUNS, {
        size: ids.length,
        query: { terms: { 'run.id': ids } },
        _source: ['run.id', 'definition'],
      });
      for (const { _source } of hits) found.set(_source.run.id, _source.definition);
    }
    return found;
  }

  /** What was found in the figures of the cluster that `filter` names. */
  const clusterOf = (
    experiment: string,
    runs: readonly Look[],
    stamp: string,
    judged: AnalysedNights,
    { metrics: asked = [] }: HistoryFilter,
  ): Promise<AnalysedNights> => {
    const metrics = [...asked].sort();
    return memory.found.of({ id: JSON.stringify([experiment, ...metrics]), stamp }, async () => {
      const order = {
        runs: runs.map(({ id }) => id),
        definitions: judged.definitions,
        clusterMetrics: metrics,
      };
      const { found } = await memory.analyse(order, read(runs, true));
      return { ...judged, series: found!.series };
    });
  };

  /** What was found in the metrics by which the experiment is judged. */
  const judgedOf = (experiment: string, runs: readonly Look[], stamp: string): Promise<AnalysedNights> =>
    memory.found.of({ id: experiment, stamp }, async () => {
      const order = { runs: runs.map(({ id }) => id), clusterMetrics: undefined };
      const parts: PackedNight[][] = [];
      async function* reading(): AsyncGenerator<PackedNight[]> {
        for await (const part of read(runs, false)) {
          parts.push(part);
          yield part;
        }
      }
      const first = await memory.analyse({ ...order, definitions: undefined }, reading());
      if (first.found !== undefined)
        return { nights: first.nights, definitions: new Map<string, Definition>(), ...first.found };
      const definitions = await readDefinitions(first.asked);
      const { nights, found } = await memory.analyse({ ...order, definitions }, Readable.from(parts));
      return { nights, definitions, ...found! };
    });

  return {
    async find(idOrName) {
      await refresh(client, RUNS);
      const byId = await named('experiment.id', idOrName);
      return byId.length > 0 ? byId : named('experiment.name', idOrName);
    },

    async nights({ id }) {
      await Promise.all([RUNS, TRIALS].map((kind) => refresh(client, kind)));
      const runs = await look(id);
      return [...(await judgedOf(id, runs, stampOf(runs))).nights];
    },

    async history(experiment, filter = {}, annotations) {
      await Promise.all([RUNS, TRIALS].map((kind) => refresh(client, kind)));
      const [runs, missed] = await Promise.all([
        look(experiment.id),
        createScheduleLog(client, { space }).missed({ experiment: experiment.id, limit: MOST_MISSED }),
      ]);
      const stamp = stampOf(runs);
      const judged = await judgedOf(experiment.id, runs, stamp);
      const cluster = asksCluster(filter)
        ? await clusterOf(experiment.id, runs, stamp, judged, filter)
        : undefined;
      const part = partOf({ experiment, judged, cluster, annotations }, filter);
      const asked = new Set(part.asked.clusters);
      const [clusters, definitions] = await Promise.all([
        clustersOf(runs.filter(({ id }) => asked.has(id))),
        readDefinitions(part.asked.definitions),
      ]);
      const isIn = ({ first, last }: MissedTimes): boolean =>
        (filter.from === undefined || last >= new Date(parseTime(filter.from)).toISOString()) &&
        (filter.to === undefined || first <= new Date(parseTime(filter.to)).toISOString());
      // They were unpacked a moment ago.
      await turn();
      const history = part.tell({ clusters, definitions });
      return { ...history, missed: missed.filter(isIn).reverse() };
    },
  };
}
