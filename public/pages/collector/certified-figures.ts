/**
 * Shows the results of a certification, which tests the load generator of a machine against servers of known behaviour. A table shows
 * Dyno's measurements next to the true values.
 */
import { figureName } from '../../../common/analysis/instrument';
import {
  FIGURE_MARKS,
  markOf,
  type CertifiedBehaviour,
  type CertifiedFigure,
  type FigureVerdict,
} from '../../../common/measurement/certification';
import { PERCENTILES } from '../../../common/measurement/histogram';
import {
  cell,
  left,
  right,
  type Table,
  type TableCell,
  type Tone,
} from '../../../common/report/tables/table';
import { formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';

const TONES: Readonly<Record<FigureVerdict, Tone | undefined>> = {
  right: undefined,
  stated: 'quiet',
  doubted: 'warning',
  wrong: 'bad',
};

const figureCell = (figure: CertifiedFigure | undefined): TableCell =>
  figure === undefined
    ? cell('–', 'quiet')
    : cell(
        `${formatNumber(figure.said)} of ${formatNumber(figure.truth)} ${markOf(figure.verdict)}`.trim(),
        TONES[figure.verdict],
      );

/**
 * Returns a table cell for the counts of accepted and rejected documents: `exact` if all counts are right, otherwise each wrong count next
 * to the true one.
 */
function countsCell({ countsAreExact, said, truth }: CertifiedBehaviour): TableCell {
  if (countsAreExact) return cell(i18n.translate('dyno.certify.counts.exact', { defaultMessage: 'exact' }));
  const of = (key: 'accepted' | 'rejected') => ({
    said: formatNumber(said[key]),
    truth: formatNumber(truth[key]),
  });
  const parts = [
    said.accepted === truth.accepted
      ? ''
      : i18n.translate('dyno.certify.counts.accepted', {
          defaultMessage: '{said} of {truth} accepted',
          values: of('accepted'),
        }),
    said.rejected === truth.rejected
      ? ''
      : i18n.translate('dyno.certify.counts.rejected', {
          defaultMessage: '{said} of {truth} rejected',
          values: of('rejected'),
        }),
  ];
  return cell(`${parts.filter(Boolean).join(', ')} ${FIGURE_MARKS.wrong.mark}`, 'bad');
}

/** Returns a legend of the symbols that mark flagged and wrong values in the table of a certification. */
export const marksExplained = (): string =>
  Object.values(FIGURE_MARKS)
    .map(({ mark, text }) => `${mark} ${text}`)
    .join('; ');

/** Returns a text that says how many measured values of a certification were right, within the reported error, flagged, or wrong. */
export function figuresCounted(measured: readonly CertifiedBehaviour[]): string {
  const figures = measured.flatMap((one) => one.figures);
  const count = (verdict: FigureVerdict): number =>
    figures.filter((figure) => figure.verdict === verdict).length;
  return i18n.translate('dyno.certify.counted', {
    defaultMessage:
      '{right} right, {stated} within the error that Dyno reports, {flagged} flagged, {wrong} wrong',
    values: {
      right: count('right'),
      stated: count('stated'),
      flagged: count('doubted'),
      wrong: count('wrong'),
    },
  });
}

/**
 * Creates a table of measured and true times. It has a row for latency and a row for service time for each behaviour of the test servers.
 */
export function figuresTable(measured: readonly CertifiedBehaviour[]): Table {
  const measuredKeys = new Set(measured.flatMap(({ figures }) => figures.map(({ key }) => key)));
  const keys = [...PERCENTILES.map(({ key }) => key), 'max' as const].filter((key) => measuredKeys.has(key));
  const title = i18n.translate('dyno.certify.figures', { defaultMessage: 'Measured and true values' });
  const of = {
    latency: i18n.translate('dyno.certify.latency', { defaultMessage: 'latency' }),
    service: i18n.translate('dyno.certify.service', { defaultMessage: 'service time' }),
  } as const;
  return {
    title,
    note: i18n.translate('dyno.certify.figuresNote', {
      defaultMessage:
        '“5.1 of 5.0” means that Dyno measured 5.1, and that the log of the target contains 5.0. A value without a mark is right within 1% or 0.3 ms; {marks}. – means that there were too few requests.',
      values: { marks: marksExplained() },
    }),
    columns: [
      left(i18n.translate('dyno.certify.column.behaviour', { defaultMessage: 'Behaviour of the target' })),
      right(i18n.translate('dyno.certify.column.rate', { defaultMessage: 'Requests/s' })),
      left(i18n.translate('dyno.certify.column.counts', { defaultMessage: 'Counts' })),
      left(i18n.translate('dyno.certify.column.of', { defaultMessage: 'Time' })),
      ...keys.map((key) => right(`${figureName(key)}, ms`)),
    ],
    rows: measured.flatMap((one) =>
      (['latency', 'service'] as const).map((time) => [
        cell(`${one.behaviour}: ${one.text}`),
        cell(formatNumber(one.perSecond)),
        countsCell(one),
        cell(of[time]),
        ...keys.map((key) =>
          figureCell(one.figures.find((figure) => figure.of === time && figure.key === key)),
        ),
      ]),
    ),
  };
}
