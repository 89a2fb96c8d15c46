/**
 * Explains the difference between two cells (combinations of factor levels) in a few sentences: what changed in the CPU time of the nodes,
 * in waiting, in I/O and in garbage collection.
 */
import { compareCells, type Comparison } from '../analysis/comparison';
import { LEVEL, type Interval } from '../analysis/confidence';
import { differenceInterval, sampleVariance } from '../analysis/interval';
import { neededSentence, trialsForDifference } from '../analysis/trials-needed';
import {
  formatChange,
  formatChanges,
  formatMetric,
  formatPoints,
  formatPointsInterval,
  joined,
} from '../analysis/wording';
import { environmentKey } from '../experiment/environment';
import { parseMetric } from '../measurement/metric';
import { ACTIVITIES } from '../profile/activities';
import { withLevels } from '../tuning/template';
import { formatPercent, sentenceCase } from '../units/format';
import { cellNames } from './model/cell-names';
import type { ReportClusterCell, ReportClusterFigure } from './model/cluster';
import type { FactList } from './model/facts';
import type { Profile } from './model/profile';
import type { Report } from './model/report';

/** A group of metrics that are judged together: with 95% confidence, all changes that its sentence names are real. */
interface Group {
  /** Subject of the sentence. */
  name: string;
  /** Names of the metrics after `cluster.`. */
  metrics: readonly string[];
}

const CPU: Group = {
  name: 'CPU time',
  metrics: [
    'cpu.process',
    // The CPU time of an activity contains that of its parts, such as merging postings.
    ...ACTIVITIES.filter(({ within }) => within === undefined).map(({ key }) => `cpu.${key}`),
  ],
};

const GROUPS: readonly Group[] = [
  CPU,
  {
    name: 'waiting',
    metrics: [
      'write-queue',
      'search-queue',
      'indexing-pressure',
      'rejections',
      'indexing.throttled',
      'merges.throttled',
    ],
  },
  { name: 'I/O', metrics: ['iowait', 'disk.busy', 'disk.read', 'disk.write'] },
  { name: 'garbage collection', metrics: ['gc'] },
];

/** Shares below this value in both cells explain nothing and are not tested. */
const LEAST_SHARE = 0.005;
/** Maximum number of changes in a sentence. */
const MOST_CHANGES = 3;

type Figure = Pick<ReportClusterFigure, 'metric' | 'title' | 'unit' | 'reason'> & {
  cells: readonly (ReportClusterCell | null)[];
};

interface Judged {
  figure: Figure;
  from: ReportClusterCell['summary'];
  to: ReportClusterCell['summary'];
  comparison: Comparison;
  /** Whether the metric changed, after the intervals were widened for all metrics of the group. */
  isDecided: boolean;
}

/** Two cells of a report, by index, with their names. */
interface Sides {
  from: number;
  to: number;
  names: { from: string; to: string };
}

function sidesOf(report: Report, profile: Profile | undefined): Sides | null {
  const { effect } = report;
  const pair =
    profile === undefined
      ? effect && { from: effect.from, to: effect.to }
      : profile.against === null
        ? null
        : { from: profile.against, to: profile.cell };
  if (pair === null || report.cells[pair.from] === undefined || report.cells[pair.to] === undefined)
    return null;
  const { names } = cellNames(report);
  return { ...pair, names: { from: names[pair.from]!, to: names[pair.to]! } };
}

/** Compares a metric in the two cells. `level`: confidence of the result. */
function compare(report: Report, { from, to }: Sides, { cells }: Figure, level = LEVEL): Comparison {
  const { definition, environmentsInTurn, trials } = report;
  const repetitions = new Map(trials.map(({ order, repetition }) => [order, repetition]));
  const figures = [to, from].map((at) => {
    const { summary, orders } = cells[at]!;
    const { environment } = withLevels(definition, report.cells[at]!.levels);
    return {
      environment: environmentsInTurn === true ? '' : environmentKey(environment),
      trials: summary.values.map((value, trial) => ({
        value,
        order: orders[trial]!,
        repetition: repetitions.get(orders[trial]!)!,
      })),
    };
  });
  // A run that ends early has intervals at one level only. Its last comparison is widened as if the number of trials had been fixed.
  const design = level === LEVEL ? definition : { ...definition, trials: 2 };
  return compareCells(figures, [[0, 1]], design, level).comparisons[0]!;
}

const changed = ({ word }: Comparison): boolean => word === 'higher' || word === 'lower';

const isNegligible = (one: Pick<Judged, 'figure' | 'from' | 'to'>): boolean =>
  one.figure.unit === 'share' && Math.max(one.from.mean ?? 0, one.to.mean ?? 0) < LEAST_SHARE;

/** Judges metrics together, in steps (Holm 1979). Each step is stricter for the metrics that are still undecided. */
function judge(report: Report, sides: Sides, figures: readonly Figure[]): Judged[] {
  const all = figures.flatMap((figure): Judged[] => {
    const [from, to] = [figure.cells[sides.from]?.summary, figure.cells[sides.to]?.summary];
    if (from === undefined || to === undefined) return [];
    return [{ figure, from, to, comparison: compare(report, sides, figure), isDecided: false }];
  });
  let left = all.filter((one) => !isNegligible(one));
  for (;;) {
    const level = 1 - (1 - LEVEL) / left.length;
    const decided = left.filter(
      ({ figure, comparison }) => changed(comparison) && changed(compare(report, sides, figure, level)),
    );
    if (decided.length === 0) return all;
    for (const one of decided) one.isDecided = true;
    left = left.filter(({ isDecided }) => !isDecided);
  }
}

const valueOf = (report: Report, { metric }: Figure, value: number | null): string =>
  formatMetric(parseMetric(metric)!, value, report.focus.rate);

/**
 * Returns the difference of the means with its interval. A mean of 0 has no interval of the ratio, so the interval is then that of the
 * difference.
 */
function differenceOf({ from, to, comparison }: Judged): { difference: number; interval: Interval | null } {
  return comparison.interval === null
    ? {
        difference: (to.mean ?? 0) - (from.mean ?? 0),
        interval: differenceInterval(to.values, from.values),
      }
    : { difference: comparison.difference ?? 0, interval: comparison.differenceInterval };
}

/** Returns `difference −13 points, 95% interval −15 to −11` or `+17%, 95% interval +12% to +22%`. */
function changeWords(report: Report, one: Judged): string {
  const { figure, comparison } = one;
  const words = (change: string, of: (interval: Interval) => string, found: Interval | null): string =>
    found === null ? change : `${change}, ${formatPercent(found.level)} interval ${of(found)}`;
  if (figure.unit !== 'share' && comparison.interval !== null)
    return words(formatChange(comparison.ratio), formatChanges, comparison.interval);
  const { difference, interval } = differenceOf(one);
  if (figure.unit === 'share')
    return words(`difference ${formatPoints(difference)} points`, formatPointsInterval, interval);
  const signed = (value: number): string =>
    `${value < 0 ? '−' : '+'}${valueOf(report, figure, Math.abs(value))}`;
  return words(
    `difference ${signed(difference)}`,
    ({ low, high }) => `${signed(low)} to ${signed(high)}`,
    interval,
  );
}

/** Returns `10% with 1s, 2% with 30s`. */
const bothValues = (report: Report, { names }: Sides, { figure, from, to }: Judged): string =>
  `${valueOf(report, figure, from.mean)} with ${names.from}, ${valueOf(report, figure, to.mean)} with ${names.to}`;

const changeText = (report: Report, sides: Sides, one: Judged): string =>
  `${one.figure.title} ${bothValues(report, sides, one)} (${changeWords(report, one)})`;

/** Sorts changes by size, the largest first. Shares are compared by their difference, other metrics by the part that changed. */
function bySize(changes: readonly Judged[]): Judged[] {
  const areShares = changes.every(({ figure }) => figure.unit === 'share');
  const sizeOf = ({ from, to }: Judged): number => {
    const [one, other] = [from.mean ?? 0, to.mean ?? 0];
    return Math.abs(one - other) / (areShares ? 1 : Math.max(Math.abs(one), Math.abs(other)));
  };
  return [...changes].sort((one, other) => sizeOf(other) - sizeOf(one));
}

/** Returns the number of trials per cell that would show the measured difference in 80% of runs. `family`: metrics judged together. */
function trialsFor({ from, to, comparison }: Judged, family: number): number {
  const [one, other] = [from.mean ?? 0, to.mean ?? 0];
  const deviation =
    comparison.spread === null
      ? Math.sqrt(sampleVariance(from.values) + sampleVariance(to.values))
      : Math.SQRT2 * comparison.spread * ((one + other) / 2);
  // The trials of this run were not enough, whatever the estimate.
  return Math.max(trialsForDifference(deviation, one - other, family), Math.max(from.n, to.n) + 1);
}

/** Returns why no metric can be compared at all; '' if some can. */
const reasonForAll = (judged: readonly Judged[]): string =>
  judged.length > 0 &&
  judged.every(({ comparison }) => comparison.interval === null || comparison.method === 'none')
    ? (judged.find(({ comparison }) => comparison.reason !== '')?.comparison.reason ?? '')
    : '';

function unchangedSentence(report: Report, sides: Sides, group: Group, judged: readonly Judged[]): string {
  const tested = judged.filter((one) => !isNegligible(one));
  const open = tested.filter(({ comparison }) => comparison.word === 'undecided' || changed(comparison));
  const subject = sentenceCase(group.name);
  if (open.length > 0) {
    const needed = open.map((one) => ({ one, trials: trialsFor(one, tested.length) }));
    const { one, trials } = needed.reduce((least, other) => (other.trials < least.trials ? other : least));
    const what = `a difference in ${one.figure.title} as large as this one (${bothValues(report, sides, one)})`;
    return `${subject}: no change is decided; ${neededSentence(trials, what)}.`;
  }
  if (tested.length > 0) {
    const titles = joined(tested.slice(0, MOST_CHANGES).map(({ figure }) => figure.title));
    return `${subject}: no change beyond the margin of ${formatPercent(report.definition.margin)} (${titles}).`;
  }
  const titles = joined(judged.map(({ figure }) => figure.title));
  return `${subject}: no change; less than ${formatPercent(LEAST_SHARE)} in both cells (${titles}).`;
}

function groupSentence(
  report: Report,
  sides: Sides,
  group: Group,
  judged: readonly Judged[],
  stacks: readonly string[],
): string {
  const decided = bySize(judged.filter(({ isDecided }) => isDecided));
  const changes = [
    ...decided.slice(0, MOST_CHANGES - stacks.length).map((one) => changeText(report, sides, one)),
    ...stacks,
  ];
  return changes.length > 0
    ? `${sentenceCase(group.name)} changed: ${changes.join('; ')}.`
    : unchangedSentence(report, sides, group, judged);
}

function focusSentence(report: Report, sides: Sides): string[] {
  const { focus } = report;
  const [one] = judge(report, sides, [focus]);
  if (one === undefined) return [];
  const text = changeText(report, sides, one);
  const { word } = one.comparison;
  if (changed(one.comparison)) return [`${sentenceCase(text)}.`];
  return word === 'undecided'
    ? [
        `${sentenceCase(text)}: this run does not decide whether it differs, so there may be nothing to explain.`,
      ]
    : [`${sentenceCase(text)}: no difference within the margin, so there is nothing to explain.`];
}

/** Returns whether the run profiled its nodes, so that it can answer why two cells differ. */
export const isProfiled = ({ cluster }: Pick<Report, 'cluster'>): boolean =>
  cluster.some(({ group, cells }) => group === 'activities' && cells.length > 0);

/**
 * Returns three to five sentences about what changed between two cells. They name only changes that the trials decide. The two cells are
 * those of the profile; without a profile, those of the report's effect. Empty if there are no two cells to compare.
 */
export function whySentences(report: Report, profile: Profile | undefined = report.profile): string[] {
  const sides = sidesOf(report, profile);
  if (sides === null) return [];
  const figures = new Map(report.cluster.map((figure) => [figure.metric, figure]));
  const groups = GROUPS.map((group) => {
    const known = group.metrics.flatMap((name) => figures.get(`cluster.${name}`) ?? []);
    return { group, known, judged: judge(report, sides, known) };
  });
  const stacks = (profile?.event === 'cpu' ? profile.changes : [])
    .slice(0, 1)
    .map(({ sentence }) => sentence);
  const reason = reasonForAll(groups.flatMap(({ judged }) => judged));
  if (reason !== '' && stacks.length === 0)
    return [...focusSentence(report, sides), `Nothing is decided about its cause: ${reason}.`];
  return [
    ...focusSentence(report, sides),
    ...groups.map(({ group, known, judged }) =>
      judged.length === 0 && !(group === CPU && stacks.length > 0)
        ? `${sentenceCase(group.name)}: not measured (${known.find((figure) => figure.reason !== '')?.reason ?? 'no trial has a value'}).`
        : groupSentence(report, sides, group, judged, group === CPU ? stacks : []),
    ),
  ];
}

/** Returns the sentences of {@link whySentences} with a heading, for reports. Empty if the run has no profile. */
export function whyLists(report: Report): FactList[] {
  const sides = isProfiled(report) ? sidesOf(report, report.profile) : null;
  if (sides === null) return [];
  const { from, to } = sides.names;
  return [{ heading: `Why ${to} differs from ${from}`, items: whySentences(report) }];
}
