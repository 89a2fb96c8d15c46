/** Builds the table of the universal scalability law: how a task's rate grows with the number of nodes, clients, shards or the like. */
import { isScaling, REACH, type ScaleEstimate, type ScalePeak, type Scaling } from '../../analysis/scaling';
import { formatNumber, formatPercent, plural } from '../../units/format';
import { scalingUnit } from '../model/capacity';
import type { Report, ReportCell, ReportTask } from '../model/report';
import type { ReportScaling } from '../model/scaling';
import {
  cell,
  left,
  optional,
  right,
  type CsvColumn,
  type CsvValue,
  type Sentences,
  type Table,
} from './table';

const between = ({ low, high }: Pick<ScaleEstimate, 'low' | 'high'>): string =>
  `${formatNumber(low)} to ${high === null ? 'no upper end' : formatNumber(high)}`;

/** Formats a coefficient. Small coefficients are written in scientific notation, because rounding would turn 0.00014 into 0. */
const coefficient = (value: number | null): string =>
  value === null
    ? 'no upper end'
    : value === 0
      ? '0'
      : value < 0.001
        ? value.toExponential(1)
        : formatNumber(value);

/**
 * Returns a sentence that says at which value of the factor (N, such as the number of clients) the rate is highest. If this is undecided,
 * the sentence says why.
 */
export function peakSentence({ name }: ReportScaling, { peak, measured, reach }: Scaling): string {
  const { state, n, low, high } = peak;
  const most = formatNumber(measured.most);
  switch (state) {
    case 'found':
      return `The rate peaks at ${name} = ${formatNumber(n)} (95% interval ${formatNumber(low)} to ${formatNumber(high)}).`;
    case 'first':
      return `The rate falls from the smallest value: the best ${name} is ${formatNumber(measured.least)}.`;
    case 'beyond':
      return `There is no peak up to ${name} = ${most}, the largest measured value; where it is beyond that is undecided${high === null ? '' : ` (95% interval ${formatNumber(Math.min(low!, reach))} to ${high > reach ? `beyond ${formatNumber(reach)}` : formatNumber(high)})`}.`;
    case 'open':
      return `Where the rate peaks is undecided: anywhere from ${name} = ${formatNumber(Math.max(measured.least, low ?? 0))} is possible. Larger values of ${name}, or more trials, would decide it.`;
  }
}

/**
 * Returns a sentence that says whether the trials follow the law. It also says up to which value of the factor (N, such as the number of
 * clients) the curve is drawn.
 */
export function followsSentence(
  { name }: ReportScaling,
  { follows, lack, measured, reach }: Scaling,
): string {
  const most = `${name} = ${formatNumber(measured.most)}`;
  if (follows === null)
    return `With one trial of each cell it cannot be tested whether the law holds, so it is drawn only up to ${most}.`;
  const p = `p = ${lack!.p < 0.001 ? '< 0.001' : formatNumber(lack!.p)}`.replace('= <', '<');
  return follows
    ? `The trials are no further from the law than from each other (lack of fit: ${p}); it is drawn up to ${REACH} times the largest measured value, ${name} = ${formatNumber(Math.floor(reach))}.`
    : `The trials do not follow the law: they are further from it than from each other (lack of fit: ${p}). Its coefficients describe them badly, and it is not drawn beyond ${most}.`;
}

const title = (task: string, factors: readonly string[]): string =>
  `How ${task} scales with ${[...new Set(factors)].join(', ')}`;

const refusal = (own: ReportScaling & { law: { refused: string } }): string =>
  `No scalability law over ${own.name}${own.group === '' ? '' : ` (${own.group})`}: ${own.law.refused}.`;

const isRefused = (own: ReportScaling): own is ReportScaling & { law: { refused: string } } =>
  !isScaling(own.law);

const ofTask = (report: Report, task: string): ReportScaling[] =>
  (report.scaling ?? []).filter((own) => own.task === task);

/** Returns the table of scalability laws. Null if no factor has whole numbers as levels. */
export function scalingTable(report: Report, task: string): Table | null {
  const all = ofTask(report, task);
  if (all.length === 0) return null;
  const fitted = all.flatMap((own) => (isScaling(own.law) ? [{ own, law: own.law }] : []));
  const refused = all.filter(isRefused).map(refusal);
  if (fitted.length === 0) {
    return {
      title: title(
        task,
        all.map(({ name }) => name),
      ),
      note: '',
      columns: [left('')],
      rows: [...new Set(refused)].map((sentence) => [cell(sentence, 'quiet')]),
    };
  }
  const [{ own: first }] = fitted as [(typeof fitted)[number]];
  const unit = scalingUnit(report, first);
  return {
    title: title(
      task,
      fitted.map(({ own }) => own.name),
    ),
    note: [
      'The universal scalability law X(N) = λN / (1 + σ(N − 1) + κN(N − 1)), fitted to all trials: λ is the rate at N = 1, σ the contention (waiting for each other), κ the crosstalk (cost of coordination). Intervals are 95%.',
      ...refused,
    ].join(' '),
    columns: [
      left('N'),
      optional(left('with')),
      right(`λ, ${unit}`),
      right('95% interval'),
      right('σ'),
      right('95% interval'),
      right('κ'),
      right('95% interval'),
      right('peak'),
      right('95% interval'),
      right('CV'),
      left('found'),
    ],
    rows: fitted.map(({ own, law }) => [
      cell(own.name),
      cell(own.group),
      cell(formatNumber(law.lambda.value)),
      cell(between(law.lambda)),
      cell(coefficient(law.sigma.value)),
      cell(`${coefficient(law.sigma.low)} to ${coefficient(law.sigma.high)}`),
      cell(coefficient(law.kappa.value)),
      cell(`${coefficient(law.kappa.low)} to ${coefficient(law.kappa.high)}`),
      cell(law.peak.n === null ? 'none' : formatPeak(law.peak, law)),
      cell(peakInterval(law.peak, law)),
      cell(formatPercent(law.spread)),
      cell(
        `${peakSentence(own, law)} ${followsSentence(own, law)}`,
        law.follows === true ? undefined : 'warning',
      ),
    ]),
  };
}

const formatPeak = ({ n }: ScalePeak, { reach }: Scaling): string =>
  n !== null && n > reach ? `beyond ${formatNumber(Math.floor(reach))}` : formatNumber(n);

/**
 * Formats the interval of the factor's value with the highest rate. If an end of the interval is beyond the drawn curve, it is not written
 * as a number.
 */
function peakInterval({ low, high, state }: ScalePeak, { reach }: Scaling): string {
  if (state === 'first') return '–';
  const end = (at: number | null): string =>
    at === null || at > reach ? `beyond ${formatNumber(Math.floor(reach))}` : formatNumber(at);
  return low !== null && low > reach ? end(low) : `${end(low)} to ${end(high)}`;
}

/** Returns the scalability laws as sentences, for terminals. */
export function scalingSentences(report: Report, task: string): Sentences | null {
  const all = ofTask(report, task);
  if (all.length === 0) return null;
  const lines = all.flatMap((own): string[] => {
    if (isRefused(own)) return [refusal(own)];
    const law = own.law as Scaling;
    const of = `${own.name}${own.group === '' ? '' : ` (${own.group})`}`;
    return [
      `${of}: λ ${formatNumber(law.lambda.value)} ${scalingUnit(report, own)} (${between(law.lambda)}), σ ${coefficient(law.sigma.value)} (${coefficient(law.sigma.low)} to ${coefficient(law.sigma.high)}), κ ${coefficient(law.kappa.value)} (${coefficient(law.kappa.low)} to ${coefficient(law.kappa.high)}); ${plural(law.trials, 'trial')}`,
      peakSentence(own, law),
      followsSentence(own, law),
    ];
  });
  return {
    title: title(
      task,
      all.map(({ name }) => name),
    ),
    lines: [...new Set(lines)],
    notes: [],
  };
}

type Read = (law: Scaling) => CsvValue;

const COLUMNS: readonly [name: string, read: Read][] = [
  ...(['lambda', 'sigma', 'kappa'] as const).flatMap((name): [string, Read][] => [
    [`scaling ${name}`, (law) => law[name].value],
    [`scaling ${name} 95% low`, (law) => law[name].low],
    [`scaling ${name} 95% high`, (law) => law[name].high],
  ]),
  ['scaling peak', ({ peak }) => peak.n],
  ['scaling peak 95% low', ({ peak }) => peak.low],
  ['scaling peak 95% high', ({ peak }) => peak.high],
  ['scaling lack of fit p', ({ lack }) => lack?.p ?? null],
];

/**
 * Returns the CSV columns of the scalability law. If several factors have whole numbers as levels, the columns contain the law of the first
 * such factor. Empty if no law was fitted.
 */
export function scalingColumns(report: Report): CsvColumn[] {
  const fitted = (report.scaling ?? []).filter(({ law }) => isScaling(law));
  const lawOf = (of: ReportCell, task: ReportTask): ReportScaling | undefined =>
    fitted.find(
      (own) => own.task === task.task && own.points.some((point) => report.cells[point.cell] === of),
    );
  if (fitted.length === 0) return [];
  return [
    { name: 'scaling factor', read: (of, task) => lawOf(of, task)?.factor ?? null },
    ...COLUMNS.map(([name, read]): CsvColumn => ({
      name,
      read: (of, task) => {
        const own = lawOf(of, task);
        return own === undefined || !isScaling(own.law) ? null : read(own.law);
      },
    })),
  ];
}
