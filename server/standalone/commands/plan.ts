/** `dyno validate` and `dyno plan`. Both work without a connection to the target. */
import {
  checkClusters,
  clusterChanges,
  differsByCluster,
} from '../../../common/experiment/requested-cluster';
import {
  checkStartingEnvironment,
  parseStartingEnvironment,
} from '../../../common/experiment/starting-environment';
import { cannotShow, cannotShowSentence } from '../../../common/analysis/cannot-show';
import { withDatedFiles } from '../../../common/experiment/dated-files';
import { environmentLabel, type Environment } from '../../../common/experiment/environment';
import {
  makePlan,
  plannedCaches,
  plannedLoads,
  plannedSpreads,
  type Plan,
} from '../../../common/experiment/plan';
import { blocksOf } from '../../../common/experiment/environment-blocks';
import { missingOnStarted } from '../../../common/experiment/feature-uses';
import { mostTrials, untilDecided } from '../../../common/experiment/trial-counts';
import { resolveCells, type ResolvedCell } from '../../../common/experiment/resolved-cells';
import { percentilesOutOfReach } from '../../../common/analysis/percentile-needs';
import { rampWarnings } from '../../../common/analysis/warnings';
import { listed } from '../../../common/analysis/wording';
import { describeProblem, DynoError, type Problem } from '../../../common/problem';
import { formatBytes, formatDuration, formatNumber, plural } from '../../../common/units/format';
import { fileSentences } from '../planned-files';
import { loadDefinition, type DefinitionOptions } from '../definition-file';
import type { ResultsOptions } from './results';
import type { Console } from '../terminal/console';

/**
 * Returns the summary of a plan, such as `3 cells x 3 trials = 9 trials · about 12m 30s · 1,200,000 documents (510 MB)`. `isMost`: whether
 * the run may end earlier; the text then contains `at most`.
 */
export function planSummary({ cells, trials, estimate }: Plan, isMost = false): string {
  return [
    `${plural(cells.length, 'cell')} x ${plural(trials.length / cells.length, 'trial')} = ${trials.length}${isMost ? ' at most' : ''}`,
    `${isMost ? 'at most' : 'about'} ${formatDuration(estimate.ms)}`,
    `${formatNumber(estimate.documents)} documents (${formatBytes(estimate.bytes)})`,
  ].join(' · ');
}

/**
 * Returns a line for each task's load, such as `ingest (cells 1, 2): bulks of 1,000 documents from systembase; 2 clients, ...`. If a factor
 * changes the load, there is one line for each variant, with the numbers of its cells (combinations of factor levels). Further lines
 * describe how caches and the spread of load are planned.
 */
export const loadSentences = (plan: Plan): string[] => [
  ...plannedLoads(plan).map(({ task, sentence, cells }) => `${task}${whichCells(plan, cells)}: ${sentence}`),
  ...plannedCaches(plan).map(({ sentence, cells }) => `caches${whichCells(plan, cells)}: ${sentence}`),
  ...plannedSpreads(plan).map(({ sentence, cells }) => `spread${whichCells(plan, cells)}: ${sentence}`),
];

/** Returns the numbers of the cells (combinations of factor levels) in parentheses, or '' for all cells. */
const whichCells = (plan: Plan, cells: readonly number[]): string =>
  cells.length === plan.cells.length
    ? ''
    : ` (${cells.length === 1 ? 'cell' : 'cells'} ${listed(cells.map((index) => String(index + 1)))})`;

/**
 * Returns sentences for the case that the target is the embedded Elasticsearch. They say whether it can provide the environments in the
 * definition, such as versions or numbers of nodes. They also name effects that one machine cannot show. Empty if there is nothing to
 * report.
 */
export function clusterSentences(plan: Plan): string[] {
  const changes = clusterChanges(plan);
  // If the definition requests no number of nodes, the embedded Elasticsearch has one. Nothing is known about other targets here.
  const hidden = cannotShow(plan, { startsClusters: true, dataNodes: 1 }).map(
    (each) =>
      `The embedded Elasticsearch as the target cannot show every effect: ${cannotShowSentence(each)}`,
  );
  if (changes === null && checkClusters(plan.cells).length > 0)
    return checkClusters(plan.cells).map(
      (problem) =>
        `Warning: the embedded Elasticsearch as the target would refuse this (for any other target it is only a label): ${describeProblem(problem)}`,
    );
  if (changes === null) return hidden;
  const { names, clusters, ms } = changes;
  return [
    `On the embedded Elasticsearch, Dyno sets ${names.join(', ')} itself (${plural(clusters.length, 'cluster')}, about ` +
      `${formatDuration(ms)} more); for any other target they are only labels`,
    ...missingOnStarted(plan.cells).map(
      (problem) =>
        `Warning: a run on clusters that Dyno starts would be refused: ${describeProblem(problem)}`,
    ),
    ...hidden,
  ];
}

/** Returns warnings that apply to every target. */
const planWarnings = (plan: Plan): string[] => [
  ...rampWarnings(plan),
  ...percentilesOutOfReach(plan).map((found) => `${cannotShowSentence(found)}.`),
];

export async function validate(file: string, options: DefinitionOptions, console: Console): Promise<number> {
  const { definition } = await loadDefinition(file, options);
  const plan = makePlan(definition);
  console.print(`${file}: valid. ${planSummary(plan)}`);
  for (const sentence of planWarnings(plan)) console.print(`Warning: ${sentence}`);
  for (const sentence of clusterSentences(plan)) console.print(sentence);
  return 0;
}

/**
 * Returns the beginning of a sentence that ends with the environment `to`. The text says whether a run waits before this environment.
 * `from`: the environment before `to`; undefined if `to` is the first.
 */
function transition(from: Environment | undefined, to: Environment): string {
  if (from === undefined) return 'begins in';
  return differsByCluster(from, to)
    ? 'waits until resumed (the embedded Elasticsearch resumes automatically) for'
    : 'waits until resumed for';
}

/**
 * Parses the environment in which the run starts. The target may be set up by the user, or Dyno may start clusters; this command does not
 * know which. Throws an input error only if the environment is invalid in both cases.
 */
function startingEnvironment(cells: readonly ResolvedCell[], written: readonly string[]): Environment {
  const begins = parseStartingEnvironment(written);
  const [asLabels, asStarted] = [false, true].map((isStarted) =>
    checkStartingEnvironment(cells, begins, isStarted),
  ) as [Problem[], Problem[]];
  if (asLabels.length > 0 && asStarted.length > 0) throw new DynoError('input', asLabels);
  return begins;
}

export async function showPlan(
  file: string,
  options: DefinitionOptions & { environment: string[]; noiseOf?: string } & ResultsOptions,
  console: Console,
): Promise<number> {
  const loaded = await loadDefinition(file, options);
  const { folder } = loaded;
  const definition = withDatedFiles(loaded.definition, new Date());
  const plan = makePlan(definition, startingEnvironment(resolveCells(definition), options.environment));
  console.print(definition.name);
  console.print(planSummary(plan, untilDecided(definition.trials) !== null));
  if (plan.estimate.assumption !== '') console.print(`Assumed: ${plan.estimate.assumption}.`);
  for (const sentence of clusterSentences(plan)) console.print(`${sentence}.`);
  for (const sentence of planWarnings(plan)) console.print(`Warning: ${sentence}`);
  const { margin } = definition;
  const trials = mostTrials(definition.trials);
  const noise =
    options.noiseOf === undefined
      ? null
      : await (await import('./results')).noiseOfRun(options.noiseOf, options, console);
  // This module is loaded here, so that `dyno validate` starts without loading the code for statistics.
  const { trialsPlanned } = await import('../../../common/analysis/trials-needed');
  const power = trialsPlanned({ trials, margin, cells: plan.cells.length }, noise);
  if (power !== '') console.print(`${power}.`);
  console.print('');
  console.print('Cells');
  for (const cell of plan.cells) {
    console.print(`  ${cell.index + 1}. ${cell.label}${cell.index === plan.baseline ? '  (baseline)' : ''}`);
  }
  console.print('');
  console.print('Load of each trial');
  for (const sentence of loadSentences(plan)) console.print(`  ${sentence}`);
  console.print('');
  const files = await fileSentences(plan, folder);
  if (files.length > 0) {
    console.print('Files');
    for (const sentence of files) console.print(`  ${sentence}`);
    console.print('');
  }
  const blocks = blocksOf(plan);
  console.print(`Order (${definition.order})`);
  blocks.forEach(({ environment, trials }, at) => {
    if (blocks.length > 1)
      console.print(
        `  ${transition(blocks[at - 1]?.environment, environment)} ${environmentLabel(environment)}`,
      );
    for (const { order, cell, repetition } of trials)
      console.print(
        `  ${String(order + 1).padStart(3)}. ${plan.cells[cell]!.label}, repetition ${repetition + 1}`,
      );
  });
  return 0;
}
