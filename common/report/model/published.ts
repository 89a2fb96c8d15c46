/**
 * Compares published values with the values of the run, for each metric and combination of factor levels. Compares the direction of the
 * change from the baseline, and its ratio. The result also contains a sentence.
 */
import { agreementOf, type Agreement } from '../../analysis/agreement';
import { figuresOf, valuesOf } from '../../analysis/blocks';
import { compareCells, type Comparison } from '../../analysis/comparison';
import { mean } from '../../analysis/interval';
import { metricReader } from '../../analysis/metric-reader';
import { metricName, rateUnit } from '../../analysis/wording';
import { labelsOf, rowOf } from '../../presets/rows';
import type { Definition } from '../../experiment/definition';
import { isOfTask, parseMetric } from '../../measurement/metric';
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
    // A task that was renamed or removed in the definition is not compared.
    figures: compared
      .filter(({ metric: written }) => {
        const metric = parseMetric(written);
        return metric !== undefined && (!isOfTask(metric) || tasks.includes(metric.task));
      })
      .map((figure) => buildFigure(figure, published, definition, plan, trials)),
  };
}

const rowsOf = (published: Published, { cells }: Plan): (PublishedRow | null)[] =>
  cells.map((cell) => rowOf(published, cell, cell.definition.environment));

/**
 * Returns a note that says which environment of the benchmark the shown published values belong to. Empty if all published values are
 * shown.
 */
function besideWhich(published: Published, plan: Plan): string[] {
  const here = labelsOf(rowsOf(published, plan));
  const others = labelsOf(published.rows).filter((label) => !here.includes(label));
  if (others.length === 0) return [];
  const there = `the benchmark also has values of ${others.join('; ')}`;
  return [
    here.length === 0
      ? `No published values for this run: ${there}, for runs whose environment has that label.`
      : `The published values shown here are those of ${here.join('; ')}; ${there}, for runs whose environment has that label.`,
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
  const measured = figuresOf(plan, trials, metricReader(metric, plan, trials).read);
  const values = measured.map(valuesOf);
  const others = measured.map((_, at) => at).filter((at) => at !== plan.baseline);
  const withBaseline = (cells: readonly number[]): ReturnType<typeof compareCells> =>
    compareCells(
      measured,
      cells.map((at) => [at, plan.baseline]),
      definition,
    );
  const found = withBaseline(others);
  const comparisons = measured.map((_, at): Comparison | null =>
    at === plan.baseline || values[at]!.length === 0 ? null : found.comparisons[others.indexOf(at)]!,
  );
  const printed = rowsOf(published, plan).map((row): number | null => {
    const value = row?.figures[figure] ?? null;
    return typeof value === 'number' ? value : null;
  });
  const base = printed[plan.baseline] ?? null;
  // The confidence level of the comparisons with published ratios applies only to these comparisons, not to the other comparisons of the
  // report.
  const compared = others.filter(
    (at) => comparisons[at]?.interval && printed[at] !== null && base !== null && base !== 0,
  );
  const { simultaneous } = withBaseline(compared);
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
      widened: simultaneous[compared.indexOf(at)] ?? null,
      margin: definition.margin,
    });
    const figures = {
      cell: cell.index,
      baseline,
      published: printed[at]!,
      publishedBaseline: base,
      own: own(values[at]!),
      ownBaseline: own(against),
      comparison: comparisons[at]!,
      agreement: baseline || agreement.word === null ? null : agreement,
    };
    return { ...figures, sentence: cellSentence(names[at]!, figures, about) };
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
