/** Builds the report of a run from its stored documents. It is a pure function, so pages, the command and tests get the same report. */
import { tasksOf } from '../../experiment/resolved-cells';
import { withoutSecrets } from '../../secrets/definition';
import { definitionOf, resolvePlan, type Plan } from '../../experiment/plan';
import { findLimit } from '../../analysis/limiting-factor';
import { trialFigures } from '../../analysis/limiting-factor-trial';
import { counts, warningsOf } from '../../analysis/validity';
import { placeCautions } from '../../analysis/place-cautions';
import { mergedTrials, shownVerdict, trustOf, unfinishedSentence } from '../../analysis/run-trust';
import { judge } from '../../analysis/verdict';
import { environmentLabel } from '../../experiment/environment';
import { areInTurn, blocksOf } from '../../experiment/environment-blocks';
import { rateUnit } from '../../analysis/wording';
import { type Provenance, type RunDocument, blocksMs, failedTrials, placeAt } from '../../experiment/run';
import type { TrialDocument } from '../../measurement/trial';
import type { Published } from '../../presets/published';
import { buildCells } from './cells';
import { buildEngineDefaults } from './engine-defaults';
import { buildCluster } from './cluster';
import { buildEffect } from './effect';
import { cellNames } from './cell-names';
import { buildFocus } from './focus';
import { buildProfile, type ProfileChoice, type ProfileHead, type TrialProfile } from './profile';
import { buildVariance } from './variance';
import { buildPublished } from './published';
import { REPORT_VERSION, type Report, type ReportEnvironment, type ReportTrial } from './report';
import { buildScaling } from './scaling-build';
import { buildSeries, type SeriesSample } from './series';
import { storedBlocks } from '../../measurement/stored-names';
import { rejectionRate } from '../../measurement/counts';
import { throughputOf } from '../../measurement/metric';
import { parseTime } from '../../units/time';

export interface ReportOptions {
  /** The published benchmark that the experiment's preset repeats. Null without a preset. */
  published?: Published | null;
  /** Samples for the charts of throughput over time. Without samples, the report does not contain these charts. */
  samples?: readonly SeriesSample[];
  /** Profiles of the trials, and those of them that are shown, with their stacks. Without them, the report has no call tree. */
  profile?: { heads: readonly ProfileHead[]; choice: ProfileChoice; profiles: readonly TrialProfile[] };
}

/** Smallest share of a frame in the call tree of a report: about one pixel of the printed flame chart. */
const LEAST_PRINTED = 1 / 1000;

/** Builds the report of `run`. The trials may be in any order. If the run has not finished, the report covers the trials so far. */
export function buildReport(
  run: RunDocument,
  trials: readonly TrialDocument[],
  options: ReportOptions = {},
): Report {
  const { definition, provenance } = run;
  const plan = resolvePlan(run);
  const tasks = tasksOf(plan.cells);
  const ordered = [...trials].sort((a, b) => a.trial.order - b.trial.order);
  const completed = ordered.filter(counts).length;
  // The report shows the stored verdict, as lists and alerts do. If no verdict is stored, it is calculated here.
  const verdict = shownVerdict(run.verdict ?? judge(definition, plan, ordered, provenance));
  const focus = buildFocus(definition, plan, ordered);
  const progress = { trials: plan.trials.length, completed };
  const trust = trustOf({ run: run.run, progress, verdict });
  const unfinished = unfinishedSentence({ run: run.run, progress });
  const place = placeCautions(plan, provenance, ordered).map(({ text }) => text);
  // Earlier versions stored sentences that list the numbers of all affected trials. They are shortened here.
  const ofTrials = verdict.trust ? verdict.warnings : verdict.warnings.map(mergedTrials);
  const warnings = [...new Set([unfinished, ...ofTrials, ...place])].filter(Boolean);
  const scaling = buildScaling(definition, plan, ordered);
  const engineDefaults = buildEngineDefaults(provenance, plan.cells);
  const report: Report = {
    report: REPORT_VERSION,
    run: {
      id: run.run.id,
      state: run.run.state,
      reason: run.run.reason,
      started: run.run.started,
      ended: run.run.ended,
      elapsedMs: elapsedMs(run),
      trials: { planned: plan.trials.length, completed, failed: failedTrials(run) },
      ...(run.samples === undefined ? {} : { samples: run.samples }),
    },
    experiment: run.experiment,
    definition,
    verdict,
    trust,
    warnings,
    notes: warnings.filter(
      (warning) => warning !== unfinished && !trust?.reasons.some(({ text }) => text.includes(warning)),
    ),
    focus,
    effect: buildEffect(definition, plan, ordered, verdict.claims),
    environments: buildEnvironments(plan, ordered),
    ...(areInTurn(plan) ? { environmentsInTurn: true } : {}),
    ...(engineDefaults === null ? {} : { engineDefaults }),
    cells: buildCells(definition, plan, ordered, provenance),
    baseline: plan.baseline,
    tasks: tasksInOrder(
      tasks.map(({ name }) => name),
      focus.task,
    ),
    variance: buildVariance(definition, plan, ordered),
    ...(scaling === undefined ? {} : { scaling }),
    published:
      options.published && !options.published.own
        ? buildPublished(options.published, definition, plan, ordered)
        : null,
    cluster: buildCluster(definition, plan, ordered),
    trials: ordered.map((document) => reportTrial(plan, provenance, document)),
    series: buildSeries(ordered, options.samples ?? [], (task) => rateUnit({ tasks }, task)),
    provenance,
    events: run.events,
  };
  const { profile } = options;
  if (profile !== undefined && profile.profiles.length > 0)
    report.profile = buildProfile(run, cellNames(report).names, profile, { least: LEAST_PRINTED });
  return withoutSecrets(report, definition);
}

/**
 * Returns the names of the tasks, with the task of the first claim in front. `names`: the names in the order of the definition. `first`:
 * the task of the first claim.
 */
const tasksInOrder = (names: readonly string[], first: string): string[] =>
  [...names].sort((one, other) => Number(other === first) - Number(one === first));

function buildEnvironments(plan: Plan, trials: readonly TrialDocument[]): ReportEnvironment[] {
  const planned = new Map<string, Set<number>>();
  for (const block of blocksOf(plan)) {
    const label = environmentLabel(block.environment);
    const orders = planned.get(label) ?? new Set();
    planned.set(label, orders);
    for (const { order } of block.trials) orders.add(order);
  }
  return [...planned].map(([label, orders]) => {
    const completed = trials.filter((document) => counts(document) && orders.has(document.trial.order));
    return { label, trials: { planned: orders.size, completed: completed.length } };
  });
}

/** Returns the duration of the run in ms. The time in which the run waited for an environment or was interrupted does not count. */
function elapsedMs({ run: { started, ended }, provenance }: RunDocument): number | null {
  const blocks = storedBlocks(provenance);
  if (ended === null) return null;
  return (blocks.length < 2 ? null : blocksMs(blocks)) ?? Math.max(0, parseTime(ended) - parseTime(started));
}

function reportTrial(plan: Plan, provenance: Provenance | null, document: TrialDocument): ReportTrial {
  const own = definitionOf(plan, document);
  const { trial, cell, times, tasks, index } = document;
  return {
    id: trial.id,
    order: trial.order,
    repetition: trial.repetition,
    cell: cell.label,
    cellIndex: cell.index,
    state: trial.state,
    reason: trial.reason,
    ...(trial.unverified === undefined ? {} : { unverified: trial.unverified }),
    ...(trial.repeats === undefined ? {} : { repeats: trial.repeats }),
    times,
    tasks: tasks.map((task) => ({
      task: task.task,
      unit: rateUnit(own, task.task),
      throughput: throughputOf(task),
      rejectionRate: rejectionRate(task.counts),
      latencyP50: task.latency.p50,
      latencyP99: task.latency.p99,
      settledAfterSeconds: task.steady?.settled ? task.steady.afterSeconds : null,
      highestRate: task.highestRate ?? null,
    })),
    doubts: warningsOf(own, document).map(({ kind, task, detail }) => ({ kind, task, detail })),
    ...(document.generator?.seats === undefined ? {} : { seats: document.generator.seats }),
    limit: counts(document)
      ? findLimit(trialFigures(own, placeAt(provenance, times.started), document))
      : null,
    shards: index?.shards ?? '',
    preload: document.preload ?? null,
    ...(document.existing === undefined ? {} : { existing: document.existing }),
    ...(document.caches === undefined ? {} : { caches: document.caches }),
  };
}
