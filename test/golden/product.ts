/**
 * The only interface between the golden files and the product. When modules move or functions get other names, only this file changes.
 * The code here only calls the product and arranges its results, because nothing tests what is computed here.
 */
import { createHash } from 'node:crypto';
import { checkClusters } from '../../common/experiment/requested-cluster';
import { startingEnvironments } from '../../common/experiment/starting-environment';
import { costOf } from '../../common/experiment/cost';
import type { Definition } from '../../common/experiment/definition';
import { environmentLabel } from '../../common/experiment/environment';
import {
  GENERATOR_NAMES,
  LINE_GENERATORS,
  LOG_GENERATORS,
  logOf,
  MAPPINGS_BY_NAME,
} from '../../common/generators/registry';
import { flattenSettings } from '../../common/elasticsearch/settings';
import { resolveCells } from '../../common/experiment/resolved-cells';
import { readDefinitionText } from '../../common/experiment/read';
import { dueTimes } from '../../common/experiment/schedule';
import { PRESETS, publishedOf } from '../../common/presets';
import { presetYaml } from '../../common/presets/preset';
import { SCALES } from '../../common/presets/scale';
import { DynoError } from '../../common/problem';
import { createRandom } from '../../common/random';
import { drawnText, filled as textOf } from '../../common/requests/template';
import type { RequestJob } from '../../common/tasks/request-list';
import { buildReport } from '../../common/report/model/build';
import { compareReports } from '../../common/report/model/comparison';
import { comparisonTables } from '../../common/report/tables/comparison';
import { renderCsv } from '../../common/report/render/csv';
import { renderJson } from '../../common/report/render/json';
import type { Report } from '../../common/report/model/report';
import { reportTables } from '../../common/report/tables';
import type { Table } from '../../common/report/tables/table';
import { trialBriefs } from '../../common/api/trial-briefs';
import type { TaskJob } from '../../server/load/contract';
import { Batch } from '../../server/load/sources/batch';
import { lineWriter } from '../../server/load/sources/made-log';
import { createLineSource, createSource } from '../../server/load/sources/registry';
import { createTimelineReader } from '../../server/results/timeline/timeline';
import { createResultsReader } from '../../server/results/reader';
import { TEMPLATES } from '../../server/results/templates';
import { indicesToCreate } from '../../server/run/trial/indices';
import { loadJob } from '../../server/run/trial/load-job';
import { parsedByTarget, pipelineBody } from '../../server/run/trial/parse';
import { clusterOf, type StoredResults } from './stored-results';
import { parseTime } from '../../common/units/time';

export type { Definition };
export type { Report };

/** Reads a definition. Throws the problems that {@link problemsIn} returns. */
export const readDefinition = (text: string): Definition => readDefinitionText(text, 'golden.yml');

/** Returns code and path of each problem of a definition, sorted. Empty if it is valid. */
export function problemsIn(text: string): string[] {
  try {
    readDefinition(text);
    return [];
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return error.problems.map(({ code, path }) => `${code} at ${path}`).sort();
  }
}

/** Returns the text of each preset at each scale, and its published numbers. */
export const presets = (): { name: string; scale: string; text: string; published: object }[] =>
  PRESETS.flatMap((preset) =>
    SCALES.map((scale) => ({
      name: preset.name,
      scale,
      text: presetYaml(preset, scale),
      published: preset.published,
    })),
  );

/** Returns the trials as `cell.repetition`, in their order. */
const orderOf = ({ trials }: { trials: readonly { cell: number; repetition: number }[] }): string =>
  trials.map(({ cell, repetition }) => `${cell}.${repetition}`).join(' ');

/** Returns the plan of a definition: sizes, durations, order, environments, next due times. */
export function planOf(definition: Definition): object {
  const { plan, ...cost } = costOf(definition);
  return {
    baseline: plan.baseline,
    estimate: plan.estimate,
    cost,
    order: orderOf(plan),
    begins: startingEnvironments(plan.cells, false).map((environment) => ({
      where: environmentLabel(environment),
      order: orderOf(costOf(definition, environment).plan),
    })),
    beginsWhereClustersAreStarted: startingEnvironments(plan.cells, true).map(environmentLabel),
    clusterProblems: checkClusters(plan.cells).map(({ code, path, found }) => `${code} at ${path}: ${found}`),
    due: dueTimes(definition.schedule ?? '', 3, new Date(parseTime('2026-01-31T23:00:00Z'))),
  };
}

/** Returns the name of a mapping if it is one of Dyno's, otherwise the mapping. */
const mappingName = (mapping: unknown): unknown =>
  Object.entries(MAPPINGS_BY_NAME).find(([, own]) => JSON.stringify(own) === JSON.stringify(mapping))?.[0] ??
  mapping;

/** Returns a search in the format of the golden files, which contain its body and query string. */
function searchAsGolden({ name, kind, steps: [step, ...more] }: RequestJob): object {
  const path = textOf(step!.path, () => drawnText('own'));
  const [, params] = /^\/own\/_search(?:\?(.*))?$/.exec(path) ?? [];
  const isSearch =
    kind === 'search' && step!.method === 'POST' && more.length === 0 && path.startsWith('/own/_search');
  if (!isSearch) throw new Error(`not a search: ${path}`);
  return { name, body: textOf(step!.body!, () => drawnText('')), params: params ?? '' };
}

const taskAsGolden = (task: TaskJob): object => {
  const { operation } = task;
  if (operation.kind === 'search') {
    const requests = operation.requests.map(({ weight, ...request }) => ({
      ...searchAsGolden(request),
      weight,
    }));
    return { ...task, operation: { kind: operation.kind, requests } };
  }
  if (operation.kind === 'transaction') {
    const { kind, gapMs, parts } = operation;
    return { ...task, operation: { kind, gapMs, parts: parts.map(searchAsGolden) } };
  }
  return task;
};

/** Returns each cell with the effects of its trials on a cluster: indices, settings, pipelines, preload and load. */
export const cellsIn = (definition: Definition): object[] =>
  resolveCells(definition).map(({ definition: own, ...cell }) => {
    const names = Array.from({ length: own.index.count }, (_, place) => `own-${place + 1}`);
    const load = loadJob(own, {
      indices: names,
      target: { nodes: [], headers: {}, verifyCertificates: true, requestTimeoutMs: 0 },
      folder: '/definitions',
      trialSeed: `${cell.id}-0`,
    });
    return {
      ...cell,
      does: {
        indices: indicesToCreate(own, names, {} as never).map(({ settings, mapping }) => ({
          settings: flattenSettings(settings as Record<string, unknown>),
          mapping: mappingName(mapping),
        })),
        cluster: flattenSettings(own.cluster.settings),
        environment: own.environment,
        preload: own.preload ?? null,
        pipelines: parsedByTarget(own).map(({ task, parse }) => ({
          task: task.name,
          ...pipelineBody(parse),
        })),
        spread: own.spread,
        requestTimeout: own['request-timeout'],
        burnIn: own.measure['burn-in'],
        // The definition does not determine the nodes.
        load: { ...load, tasks: load.tasks.map(taskAsGolden), target: undefined },
      },
    };
  });

export const mappings = (): object => MAPPINGS_BY_NAME;

/** Generated data with a fixed seed and clock: the first documents as text, and a digest of many. */
interface Sample {
  first: string[];
  sha256: string;
}

const SHOWN = 2;
const DOCUMENTS = 200;
/** Maximum number of characters of a shown document. */
const MOST_SHOWN = 600;
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function sampleOf(body: Uint8Array): Sample {
  const lines = Buffer.from(body).toString('utf8').split('\n');
  return {
    first: lines
      .filter((line) => !line.startsWith('{"index"'))
      .slice(0, SHOWN)
      .map((line) => line.slice(0, MOST_SHOWN)),
    sha256: createHash('sha256').update(body).digest('hex'),
  };
}

function filled(source: ReturnType<typeof createSource>): Uint8Array {
  const batch = new Batch();
  source.fill(batch, { docs: DOCUMENTS, bytes: Infinity }, NOW);
  source.close();
  return batch.body();
}

/** Returns samples of each generator: documents, raw lines, logs of searches. */
export function generated(): Record<string, Record<string, Sample>> {
  const setting = {
    seed: 42,
    share: { index: 0, of: 1 },
    actionLine: '{"index":{}}\n',
    onBroken: (error: unknown) => {
      throw error;
    },
  };
  const documents = GENERATOR_NAMES.map((generator) => [
    generator,
    sampleOf(filled(createSource({ kind: 'generator', generator }, setting))),
  ]);
  const lines = GENERATOR_NAMES.filter((generator) => LINE_GENERATORS.includes(generator)).map(
    (generator) => [generator, sampleOf(filled(createLineSource({ kind: 'generator', generator }, setting)))],
  );
  const logs = LOG_GENERATORS.map((generator) => {
    const batch = new Batch();
    const writeLine = lineWriter(logOf(generator).lines(), createRandom(42));
    for (let line = 0; line < DOCUMENTS; line += 1) writeLine(batch);
    return [generator, sampleOf(batch.body())];
  });
  return {
    documents: Object.fromEntries(documents) as Record<string, Sample>,
    lines: Object.fromEntries(lines) as Record<string, Sample>,
    logs: Object.fromEntries(logs) as Record<string, Sample>,
  };
}

/** Returns the index templates of the results. */
export const storedFields = (): object => TEMPLATES;

/** Everything that is read back from stored results. */
export interface ReadBack {
  report: Report;
  /** The exported report. */
  json: string;
  csv: string;
  /** Verdict that is computed as if none had been stored. */
  judged: Report['verdict'];
  tables: Table[];
  briefs: object[];
  /** Answers of the HTTP API about the course of the run over time, and of each task in its first trial. */
  timeline: object;
  distributions: object;
  heatmaps: object[];
  parts: object[];
}

/** Number of points of a timeline and columns of a heat map. It is small, so that seconds are combined. */
const POINTS = 12;
const COLUMNS = 10;

export async function readBack(stored: StoredResults): Promise<ReadBack> {
  const client = clusterOf(stored);
  const reader = createResultsReader(client);
  const { id } = stored.run['run'] as { id: string };
  const run = (await reader.getRun(id))!;
  const [trials, samples] = await Promise.all([reader.getTrials(id), reader.getSamples({ run: id })]);
  const published = publishedOf(run.experiment);
  const report = buildReport(run, trials, { published, samples });
  const course = createTimelineReader(client);
  const places = trials
    .slice(0, 1)
    .flatMap(({ trial, tasks }) => tasks.map(({ task }) => ({ trial: trial.id, task, columns: COLUMNS })));
  return {
    report,
    json: renderJson(report),
    csv: renderCsv(report),
    judged: buildReport({ ...run, verdict: null }, trials).verdict,
    tables: reportTables(report).flatMap(({ tables }) => tables.map(({ content }) => content)),
    briefs: trialBriefs(run, trials),
    timeline: await course.timeline(id, { points: POINTS }),
    distributions: await course.distributions(id),
    heatmaps: await Promise.all(places.map((place) => course.heatmap(id, place))),
    parts: await Promise.all(places.map((place) => course.parts(id, place))),
  };
}

export const compare = (reports: readonly Report[]): { data: object; tables: Table[] } => {
  const data = compareReports(reports);
  return { data, tables: comparisonTables(data) };
};
