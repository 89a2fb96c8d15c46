/** The published figures beside the run's own: per figure and cell, direction and ratio to the baseline, and the words for them. */
import { agreementOf, type Agreement } from '../../analysis/agreement';
import { compareFamily, type Comparison } from '../../analysis/comparison';
import { LEVEL } from '../../analysis/confidence';
import { mean, ratioInterval } from '../../analysis/interval';
import { trialsOf } from '../../analysis/validity';
import { metricName, rateUnit } from '../../analysis/wording';
import { labelsOf, rowOf } from '../../presets/rows';
import type { Definition } from '../../experiment/definition';
import { parseMetric, readMetric } from '../../measurement/metric';
import type { Plan } from '../../experiment/plan';
import { tasksOf } from '../../experiment/resolved-cells';
import type { TrialDocument } from '../../measurement/trial';
import type { ComparedFigure, Published, PublishedRow } from '../../presets/published';
import { cellNames } from './cell-names';
import type { ReportPublished, ReportPublishedCell, ReportPublishedFigure } from './report';
import { cellSentence, totalsSentence } from './published-wording';

export function buildPublished(
  published: Published,
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
): ReportPublished {
  const { seed, title, conditions, repeated, notes, changes, compared } = published;
  const tasks = tasksOf(plan.cells).map(({ name }) => name);
  return {
    seed,
    title,
    conditions: [...conditions, ...besideWhich(published, plan)],
    repeated,
    notes,
    changes,
    // Whoever renamed or took away the task compares nothing of it.
    figures: compared
      .filter(({ metric }) => tasks.includes(parseMetric(metric)?.task ?? ''))
      .map((figure) => buildFigure(figure, published, definition, plan, trials)),
  };
}

const rowsOf = (published: Published, { cells }: Plan): (PublishedRow | null)[] =>
  cells.map((cell) => rowOf(published, cell, cell.definition.environment));

/** Where the account measured the same cells several times over, which of its figures stand here. */
function besideWhich(published: Published, plan: Plan): string[] {
  const here = labelsOf(rowsOf(published, plan));
  const others = labelsOf(published.rows).filter((label) => !here.includes(label));
  if (others.length === 0) return [];
  const there = `the account also has those of ${others.join('; ')}`;
  return [
    here.length === 0
      ? `No published figures here: ${there}, for runs whose environment has that label.`
      : `The printed figures here are those of ${here.join('; ')}; ${there}, for runs whose environment has that label.`,
  ];
}

function buildFigure(
  { figure, metric: written }: ComparedFigure,
  published: Published,
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
): ReportPublishedFigure {
  const metric = parseMetric(written)!;
  const values = plan.cells.map(({ index }) =>
    trialsOf(trials, index)
      .map(({ tasks }) => readMetric(metric, tasks))
      .filter((value) => value !== null),
  );
  const comparisons = compareWithBaseline(values, plan.baseline, definition.margin);
  const printed = rowsOf(published, plan).map((row): number | null => {
    const value = row?.figures[figure] ?? null;
    return typeof value === 'number' ? value : null;
  });
  const base = printed[plan.baseline] ?? null;
  const family = comparisons.filter(
    (comparison, at) => comparison?.interval && printed[at] !== null && base !== null && base !== 0,
  ).length;
  const against = values[plan.baseline]!;
  const { names } = cellNames({ definition, cells: plan.cells });
  const about = {
    name: metricName(metric, definition),
    metric,
    unit: published.units[figure] ?? '',
    rate: rateUnit({ tasks: tasksOf(plan.cells) }, metric.task),
    margin: definition.margin,
    repeated: published.repeated,
  };
  const own = (of: readonly number[]): number | null => (of.length === 0 ? null : mean(of));
  const cells = plan.cells.map((cell, at): ReportPublishedCell => {
    const baseline = at === plan.baseline;
    const agreement = agreementOf({
      published: printed[at]!,
      publishedBaseline: base,
      comparison: comparisons[at]!,
      ownBaseline: own(against),
      widened: ratioInterval(values[at]!, against, 1 - (1 - LEVEL) / Math.max(1, family)),
      margin: definition.margin,
    });
    const told = {
      cell: cell.index,
      baseline,
      published: printed[at]!,
      publishedBaseline: base,
      own: own(values[at]!),
      ownBaseline: own(against),
      comparison: comparisons[at]!,
      agreement: baseline || agreement.word === null ? null : agreement,
    };
    return { ...told, sentence: cellSentence(names[at]!, told, about) };
  });
  const agreements = cells.map(({ agreement }) => agreement).filter((agreement) => agreement !== null);
  const totals = totalsOf(agreements);
  return {
    figure,
    metric: written,
    task: metric.task,
    unit: about.unit,
    name: about.name,
    cells,
    ...totals,
    sentence: totalsSentence(about, totals),
  };
}

/** One family; null for the baseline itself and for cells without a figure. */
function compareWithBaseline(
  values: readonly (readonly number[])[],
  baseline: number,
  margin: number,
): (Comparison | null)[] {
  const others = [...values.keys()].filter((at) => at !== baseline);
  const found = compareFamily(
    others.map((at) => ({ values: values[at]!, against: values[baseline]! })),
    margin,
  );
  return values.map((of, at) => (at === baseline || of.length === 0 ? null : found[others.indexOf(at)]!));
}

function totalsOf(agreements: readonly Agreement[]): Pick<ReportPublishedFigure, 'directions' | 'ratios'> {
  const withRatio = agreements.filter(({ ratio }) => ratio !== null);
  const direction = (word: Agreement['direction']): number =>
    agreements.filter((agreement) => agreement.direction === word).length;
  const ratio = (word: Agreement['ratioAgrees']): number =>
    withRatio.filter(({ ratioAgrees }) => ratioAgrees === word).length;
  return {
    directions: {
      agrees: direction('agrees'),
      disagrees: direction('disagrees'),
      cannotTell: direction('cannot tell'),
    },
    ratios: {
      agrees: ratio('agrees'),
      higher: ratio('higher'),
      lower: ratio('lower'),
      cannotTell: ratio('cannot tell'),
    },
  };
}
