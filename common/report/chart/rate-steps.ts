/** Draws the steps of each search for the highest rate, with a panel for each trial. */
import { scaleLinear } from 'd3-scale';
import { formatNumber } from '../../units/format';
import type { Report } from '../model/report';
import { rateStepsSeries, type StepMark, type StepsOfSearch } from './rate-steps-series';
import { axisBelow, axisLeft, chart, element, escapeMarkup, fitted, line, text, type Scale } from './svg';

const WIDTH = 1000;
const PANEL = 140;
const TOP = 54;
const LEFT = 62;
const BETWEEN = 56;
/**
 * Maximum number of panels. Each panel shows one search for the highest rate that a cluster sustains. Further searches appear only in the
 * report's table.
 */
const MOST_PANELS = 24;

/** Shapes of the marks: circle, triangle, diamond, square, cross. */
const SHAPES: Readonly<Record<StepMark, (x: number, y: number) => string>> = {
  held: (x, y) => `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z`,
  'not-held': (x, y) => `M${x} ${y - 6}l6 11h-12Z`,
  confirmed: (x, y) => `M${x} ${y - 8}l7 8l-7 8l-7 -8Z`,
  'not-confirmed': (x, y) => `M${x - 5.5} ${y - 5.5}h11v11h-11Z`,
  undecided: (x, y) => `M${x - 6} ${y - 2}h4v-4h4v4h4v4h-4v4h-4v-4h-4Z`,
};

const NAMES: Readonly<Record<StepMark, string>> = {
  held: 'held',
  'not-held': 'not held',
  confirmed: 'held, confirming',
  'not-confirmed': 'not held, confirming',
  undecided: 'undecided',
};

const mark = (of: StepMark, x: number, y: number, tooltip = ''): string =>
  element(
    'path',
    {
      d: SHAPES[of](Math.round(x * 10) / 10, Math.round(y * 10) / 10),
      class: of === 'undecided' ? of : of.startsWith('not') ? 'not-held' : 'held',
    },
    tooltip === '' ? '' : element('title', {}, escapeMarkup(tooltip)),
  );

/** Returns the chart as SVG; '' for tasks that do not search for the highest rate. */
export function rateStepsChart(report: Report, task: string): string {
  const { searches: all, y: rates } = rateStepsSeries(report, task);
  if (all.length === 0) return '';
  const searches = all.slice(0, MOST_PANELS);
  const columns = Math.min(3, searches.length);
  const width = (WIDTH - LEFT * columns - 20 - (columns - 1) * 10) / columns;
  const panels = searches.map((search, at) => {
    const start = LEFT + (at % columns) * (width + LEFT + 10);
    const top = TOP + Math.floor(at / columns) * (PANEL + BETWEEN);
    const x = scaleLinear()
      .domain([search.x.min, search.x.max])
      .range([start, start + width]);
    const y = scaleLinear()
      .domain([rates.min, rates.max])
      .range([top + PANEL, top]);
    return panel(search, x, y);
  });
  const left = all.length - searches.length;
  return chart(
    WIDTH,
    TOP + Math.ceil(searches.length / columns) * (PANEL + BETWEEN),
    `rate-steps-${report.tasks.indexOf(task)}`,
    `Steps of the search of ${task}`,
    `Offered requests/s by step, a panel for each trial${left > 0 ? ` (${left} more are in the table)` : ''}. The band is the bracket of its answer.`,
    legend() + panels.join(''),
  );
}

/** Draws the legend on one row. */
const legend = (): string =>
  (Object.keys(NAMES) as StepMark[])
    .map((of, at) => {
      const x = LEFT + 6 + at * 170;
      return mark(of, x, 12) + text(x + 14, 16, NAMES[of], { class: 'tick' });
    })
    .join('');

function panel({ label, steps, bracket }: StepsOfSearch, x: Scale, y: Scale): string {
  const [start, end] = x.range() as [number, number];
  const [bottom, top] = y.range() as [number, number];
  const points = steps.map(({ mark: of, step }) => ({ of, step, px: x(step.number), py: y(step.perSecond) }));
  return [
    text(start, top - 10, fitted(label, end - start), { class: 'label' }),
    bracket === null
      ? ''
      : element('rect', {
          x: start,
          y: y(bracket.max),
          width: end - start,
          height: Math.max(1, y(bracket.min) - y(bracket.max)),
          class: 'bracket',
        }),
    axisLeft(y, y.ticks(4), start, end, formatNumber),
    line(start, bottom, end, bottom, 'grid'),
    axisBelow(
      x,
      x.ticks(Math.min(8, Math.max(2, steps.length))).filter((tick) => Number.isInteger(tick) && tick > 0),
      bottom,
      bottom,
      formatNumber,
    ),
    element('path', {
      d: points.map(({ px, py }, at) => `${at === 0 ? 'M' : 'L'}${px.toFixed(1)} ${py.toFixed(1)}`).join(''),
      class: 'course',
    }),
    ...points.map(({ of, step, px, py }) => {
      const why = step.why === '' ? '' : `: ${step.why}`;
      return mark(
        of,
        px,
        py,
        `step ${step.number}, ${formatNumber(step.perSecond)} requests/s, ${NAMES[of]}${why}`,
      );
    }),
  ].join('');
}
