/** The nights of an experiment: what its completed runs tell of its history, read many at once. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { Definition } from '../../common/experiment/definition';
import { resolvePlan } from '../../common/experiment/plan';
import type { RunDocument } from '../../common/experiment/run';
import {
  factsOf,
  nightOf,
  PER_CELL,
  type Night,
  type NightFacts,
  type NightFigures,
} from '../../common/history/night';
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
import { refresh, search, searchIndex } from './search';
import { withinSpace, type SpaceId } from './space';
import { RUNS, TRIALS, trialOf, type StoredTrial } from './stored';
import { keptNight, nightKept, unpackCluster, unpackNight, type PackedNight } from './stored-night';
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

/** What was read of nights and found in them, for all readers of the same results whose users may see the same of them. */
export class NightMemory {
  /** As they are stored: whoever analyses them unpacks them, and nobody else needs more than {@link facts}. */
  readonly judged = new ReadOnce<PackedNight>(MOST_CHARACTERS, charactersOf);
  readonly facts = new ReadOnce<NightFacts>(MOST_NIGHTS, () => 1);
  /** Apart, lest those of one question displace what every question takes. */
  readonly withCluster = new ReadOnce<PackedNight>(MOST_CHARACTERS, charactersOf);
  /** What changes were explained by, unpacked: the same nights explain them again. */
  readonly clusters = new ReadOnce<Night['cluster']>(MOST_NUMBERS, (cluster) => 1 + numbersIn(cluster));
  readonly found = new MadeOnce<AnalysedNights>(
    MOST_NUMBERS,
    ({ nights, series }) => 1 + PER_CELL * series.length * nights.length,
  );

  constructor(
    readonly analyse: AnalyseNights,
    readonly prepare: () => void,
  ) {}
}

/** Numbers that are kept of each kind, some 24 bytes each: 4,000 nights of 20 cells and 10 metrics. */
const MOST_NUMBERS = 2_500_000;
/** Of packed nights, a byte each: 10,000 of 20 cells and 10 metrics. */
const MOST_CHARACTERS = 40_000_000;
/** Without their figures, some KB each. */
const MOST_NIGHTS = 10_000;

const charactersOf = ({ figures, cluster = '' }: PackedNight): number => figures.length + cluster.length;

const numbersIn = (figures: readonly NightFigures[]): number =>
  figures.reduce((sum, { values }) => sum + values.length, 0);

/** `analyse`: where that may hold up nobody, in a thread of its own, which `prepare` has begin before nights are read. */
export const nightMemory = (
  analyse: AnalyseNights = analyseNightsHere,
  prepare: () => void = () => undefined,
): NightMemory => new NightMemory(analyse, prepare);

/** Runs that are told at once, by what they are sorted by: an index setting's default. */
const LOOK_PAGE = 10_000;

/** Nights of one search, some 3 KB each, and more with the figures of the cluster. While one answer is read, others are made. */
const SLICE = 100;
const SLICE_WITH_CLUSTER = 50;
const SLICES_AT_ONCE = 4;

/** Nights as they come, in any order. */
type Hand<N> = (nights: readonly N[]) => void;

/** What `read` hands over, for as long as it reads. */
function handed<N>(read: (hand: Hand<N>) => Promise<unknown>): AsyncIterable<readonly N[]> {
  const parts = new Readable({ objectMode: true, read: () => undefined });
  // Whoever reads it meets the error; where nobody does any more, nobody misses it.
  parts.on('error', () => undefined);
  void read((part) => part.length > 0 && parts.push(part)).then(
    () => parts.push(null),
    (error: Error) => parts.destroy(error),
  );
  return parts as AsyncIterable<readonly N[]>;
}

/** Trials, or definitions, of one search. */
const PAGE = 500;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

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

const wantedOf = (runs: readonly Look[], missing: readonly string[]): Look[] => {
  const wanted = new Set(missing);
  return runs.filter(({ id }) => wanted.has(id));
};

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
    let after: unknown[] | undefined;
    do {
      const { hits } = await search(client, RUNS, {
        size: LOOK_PAGE,
        query: visible({ bool: { filter } }),
        sort: IN_TIME,
        stored_fields: '_none_',
        ...(after ? { search_after: after } : {}),
      });
      for (const { sort, _index: index } of hits) {
        const [, id, started, ...more] = sort as [number, string, number, number];
        found.push({ id, index, at: new Date(started).toISOString(), stamp: [started, ...more].join(' ') });
      }
      after = hits.length < LOOK_PAGE ? undefined : hits.at(-1)?.sort;
    } while (after !== undefined);
    return found;
  }

  /** Those that their runs' documents hold; each answer is handed on as it comes. */
  async function readKept(
    runs: readonly Look[],
    withCluster: boolean,
    hand: Hand<PackedNight>,
  ): Promise<void> {
    const at = new Map(runs.map((run) => [run.id, run.at]));
    const slice = withCluster ? SLICE_WITH_CLUSTER : SLICE;
    const fields = ['run.id', 'night.figures', ...(withCluster ? ['night.cluster'] : [])];
    const readSome = async (from: number): Promise<void> => {
      const some = runs.slice(from, from + slice);
      const ids = some.map(({ id }) => id);
      const { hits } = await searchIndex(
        client,
        { index: indicesOf(some), what: RUNS },
        {
          size: ids.length,
          query: { terms: { 'run.id': ids } },
          stored_fields: '_none_',
          docvalue_fields: fields,
        },
      );
      hand(
        hits.flatMap(({ fields: told }) => {
          const own = told as unknown as NightFields;
          const [run] = own['run.id'];
          const [figures, cluster] = [own['night.figures']?.[0], own['night.cluster']?.[0]];
          return nightKept({ run, at: at.get(run)! }, { figures, cluster }) ?? [];
        }),
      );
    };
    const slices = Array.from({ length: Math.ceil(runs.length / slice) }, (_, at) => at * slice);
    const next = slices.values();
    await Promise.all(
      Array.from({ length: SLICES_AT_ONCE }, async () => {
        for (const from of next) await readSome(from);
      }),
    );
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
    let after: unknown[] | undefined;
    do {
      const { hits } = await search<StoredTrial>(client, TRIALS, {
        size: PAGE,
        query,
        sort: [{ 'trial.id': { order: 'asc', unmapped_type: 'keyword' } }],
        // Histograms are most of a trial; its percentiles stand beside them.
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
        ...(after ? { search_after: after } : {}),
      });
      for (const { _source } of hits) found.push(_source);
      after = hits.length < PAGE ? undefined : hits.at(-1)?.sort;
    } while (after !== undefined);
    return found;
  }

  /** Of all `runs`, as they are read or were read before. */
  async function packedOf(
    runs: readonly Look[],
    withCluster: boolean,
    hand: Hand<PackedNight> = () => undefined,
  ): Promise<PackedNight[]> {
    const fresh = new Map<string, PackedNight>();
    const keep: Hand<PackedNight> = (part) => {
      for (const night of part) fresh.set(night.run, night);
      hand(part);
    };
    const kept = withCluster ? memory.withCluster : memory.judged;
    const nights = await kept.of(runs, async (missing) => {
      const wanted = wantedOf(runs, missing);
      await readKept(wanted, withCluster, keep);
      const made = await makeOfTrials(wanted.filter(({ id }) => !fresh.has(id)));
      keep(
        [...made.values()].map((night) => {
          const { figures, cluster } = keptNight(night);
          return { run: night.run, at: night.at, figures, cluster: withCluster ? cluster : undefined };
        }),
      );
      return fresh;
    });
    hand([...nights.values()].filter(({ run }) => !fresh.has(run)));
    return [...nights.values()];
  }

  /** Figures of the cluster of all `runs`. */
  const clustersOf = (runs: readonly Look[]): Promise<Map<string, Night['cluster']>> =>
    memory.clusters.of(runs, async (missing) => {
      const found = new Map<string, Night['cluster']>();
      await packedOf(wantedOf(runs, missing), true, (part) => {
        for (const night of part) found.set(night.run, unpackCluster(night));
      });
      return found;
    });

  /** Of all `runs`, in their order. */
  async function allFacts(runs: readonly Look[]): Promise<NightFacts[]> {
    const facts = await memory.facts.of(runs, async (missing) => {
      const found = new Map<string, NightFacts>();
      for (const night of await packedOf(wantedOf(runs, missing), false)) {
        found.set(night.run, factsOf(unpackNight(night)));
        if (found.size % SLICE === 0) await turn();
      }
      return found;
    });
    return [...facts.values()];
  }

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
      const { found } = await memory.analyse(
        order,
        handed<PackedNight>((hand) => packedOf(runs, true, hand)),
      );
      return { ...judged, series: found!.series };
    });
  };

  /** What is found in what the experiment is judged by: nights are analysed while others are still being read. */
  async function judgedOf(runs: readonly Look[]): Promise<AnalysedNights> {
    const order = { runs: runs.map(({ id }) => id), clusterMetrics: undefined };
    const read = () => handed<PackedNight>((hand) => packedOf(runs, false, hand));
    let answer = await memory.analyse({ ...order, definitions: undefined }, read());
    let definitions = new Map<string, Definition>();
    if (answer.found === undefined) {
      definitions = await readDefinitions(answer.asked);
      answer = await memory.analyse({ ...order, definitions }, read());
    }
    const { nights, found } = answer;
    await memory.facts.of(runs, () => Promise.resolve(new Map(nights.map((own) => [own.run, own]))));
    // Places in the series are those of the nights that were analysed, though others may be remembered.
    return { nights, definitions, ...found! };
  }

  return {
    async find(idOrName) {
      await refresh(client, RUNS);
      const byId = await named('experiment.id', idOrName);
      return byId.length > 0 ? byId : named('experiment.name', idOrName);
    },

    async nights({ id }) {
      await Promise.all([RUNS, TRIALS].map((kind) => refresh(client, kind)));
      return allFacts(await look(id));
    },

    async history(experiment, filter = {}, annotations) {
      if (!memory.found.has(experiment.id)) memory.prepare();
      await Promise.all([RUNS, TRIALS].map((kind) => refresh(client, kind)));
      const [runs, missed] = await Promise.all([
        look(experiment.id),
        createScheduleLog(client, { space }).missed({ experiment: experiment.id, limit: MOST_MISSED }),
      ]);
      const stamp = hashOf(JSON.stringify(runs));
      const judged = await memory.found.of({ id: experiment.id, stamp }, () => judgedOf(runs));
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
