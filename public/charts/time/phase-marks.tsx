/**
 * Shows the phases of trials in a chart over time. The measured phase is between two vertical lines, and the other phases, such as warm-up,
 * are shaded.
 */
import { LineAnnotation, RectAnnotation, type RectAnnotationDatum } from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { i18n } from '../../i18n';
import { boundaries, phasesWithin, useTimeAxis, type Boundary, type Phase } from './axis';
import { phaseText } from './time-header';

export function PhaseMarks(): ReactNode {
  const { euiTheme } = useEuiTheme();
  const { phases, from, to } = useTimeAxis();
  const seen = useMemo(() => phasesWithin(phases, from, to), [phases, from, to]);
  const rect = (kinds: readonly Phase['phase'][]): RectAnnotationDatum[] =>
    seen
      .filter(({ phase }) => kinds.includes(phase))
      .map((phase) => ({
        coordinates: { x0: Math.max(phase.from, from), x1: Math.min(phase.to, to) },
        details: phaseText(phase),
      }));
  const warmups = rect(['warm-up']);
  const around = rect(['prepare', 'drain']);
  const marks = boundaries(phases, from, to);
  // Elastic Charts rejects annotations without data.
  return (
    <>
      {warmups.length === 0 ? null : (
        <RectAnnotation
          id="warm-up"
          dataValues={warmups}
          hideTooltips
          style={{ fill: euiTheme.colors.vis.euiColorVisWarning0, opacity: 0.14 }}
        />
      )}
      {around.length === 0 ? null : (
        <RectAnnotation
          id="around"
          dataValues={around}
          hideTooltips
          style={{ fill: euiTheme.colors.mediumShade, opacity: 0.14 }}
        />
      )}
      {marks.length === 0 ? null : (
        <LineAnnotation
          id="measure"
          domainType="xDomain"
          dataValues={marks.map((mark) => ({ dataValue: mark.at, details: markText(mark) }))}
          style={{
            line: { stroke: euiTheme.colors.mediumShade, strokeWidth: 1, dash: [2, 3], opacity: 0.9 },
          }}
        />
      )}
    </>
  );
}

const markText = ({ phase, begins }: Boundary): string =>
  begins
    ? i18n.translate('dyno.timeChart.measureBegins', {
        defaultMessage: 'Measuring begins: trial {number}, {label}',
        values: { number: phase.order + 1, label: phase.label },
      })
    : i18n.translate('dyno.timeChart.measureEnds', {
        defaultMessage: 'Measuring ends: trial {number}, {label}',
        values: { number: phase.order + 1, label: phase.label },
      });
