/**
 * The trials of a run as a grid, in which squares are filled as trials complete. Each row is one combination of factor levels, each column
 * one repetition.
 */
import { EuiText, useEuiTheme } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { TrialBrief } from '../../../common/api/runs';
import type { StoredPlan } from '../../../common/experiment/plan';
import { formatMetric, metricName } from '../../../common/analysis/wording';
import type { Definition } from '../../../common/experiment/definition';
import type { Metric } from '../../../common/measurement/metric';
import type { RateUnit } from '../../../common/tasks/registry';
import { sentenceCase } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { gridMetric, gridOf, type GridRow } from './grid';
import { TrialSquare } from './trial-square';

/** Maximum height of the grid in px. A higher grid scrolls. */
const MOST_HEIGHT = 340;

interface CellGridProps {
  definition: Definition;
  plan: StoredPlan;
  trials: readonly TrialBrief[];
  selected: string;
  onSelect: (trial: string) => void;
}

export function CellGrid({ definition, plan, trials, selected, onSelect }: CellGridProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const metric = useMemo(() => gridMetric(definition, trials), [definition, trials]);
  const rows = useMemo(() => gridOf(plan, trials, metric), [plan, trials, metric]);
  const repetitions = rows[0]?.squares.length ?? 0;
  const most = Math.max(0, ...rows.map(({ mean }) => mean ?? 0));
  const title = i18n.translate('dyno.grid.title', { defaultMessage: 'Cells and repetitions' });
  const head = {
    position: 'sticky' as const,
    top: 0,
    zIndex: 1,
    backgroundColor: euiTheme.colors.backgroundBasePlain,
    fontWeight: euiTheme.font.weight.regular,
    color: euiTheme.colors.textSubdued,
    fontSize: 12,
    padding: '2px 4px',
  };
  return (
    <Part
      title={title}
      note={i18n.translate('dyno.grid.note', {
        defaultMessage: 'Choose a trial to see its time in the charts below.',
      })}
    >
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      <div
        role="region"
        aria-label={i18n.translate('dyno.grid.region', { defaultMessage: 'Grid of trials' })}
        tabIndex={0}
        css={{ maxBlockSize: MOST_HEIGHT, overflow: 'auto', padding: 2 }}
      >
        <table css={{ borderSpacing: 0 }}>
          <thead>
            <tr>
              <th scope="col" css={{ ...head, textAlign: 'left' }}>
                {i18n.translate('dyno.grid.cell', { defaultMessage: 'Cell' })}
              </th>
              {Array.from({ length: repetitions }, (_, repetition) => (
                <th key={repetition} scope="col" css={{ ...head, textAlign: 'center' }}>
                  {repetition + 1}
                </th>
              ))}
              <th
                scope="col"
                css={{ ...head, textAlign: 'left', paddingInlineStart: 16, whiteSpace: 'nowrap' }}
              >
                {i18n.translate('dyno.grid.mean', {
                  defaultMessage: '{metric}, mean',
                  values: { metric: sentenceCase(metricName(metric, definition)) },
                })}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.cell}>
                <RowName row={row} />
                {row.squares.map((square) => (
                  <td key={square.repetition} css={{ padding: 2, verticalAlign: 'middle' }}>
                    <TrialSquare
                      square={square}
                      label={row.label}
                      selected={square.trial !== null && square.trial.id === selected}
                      onSelect={onSelect}
                    />
                  </td>
                ))}
                <td css={{ paddingInlineStart: 16, verticalAlign: 'middle' }}>
                  <Mean row={row} most={most} metric={metric} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Part>
  );
}

function RowName({ row: { label, baseline } }: { row: GridRow }): ReactNode {
  return (
    <th
      scope="row"
      css={{
        textAlign: 'left',
        verticalAlign: 'middle',
        fontWeight: 400,
        padding: '2px 12px 2px 4px',
        maxInlineSize: 320,
      }}
    >
      {/* On a phone, the grid scrolls instead of breaking names between letters. */}
      <EuiText size="s" css={{ overflowWrap: 'anywhere', lineHeight: 1.3, minInlineSize: 140 }}>
        {label}
        {baseline ? (
          <EuiText component="span" size="xs" color="subdued">
            {' '}
            {i18n.translate('dyno.grid.baseline', { defaultMessage: '(baseline)' })}
          </EuiText>
        ) : null}
      </EuiText>
    </th>
  );
}

function Mean({
  row: { mean, unit },
  most,
  metric,
}: {
  row: GridRow;
  most: number;
  metric: Metric;
}): ReactNode {
  const { euiTheme } = useEuiTheme();
  if (mean === null) return null;
  return (
    <div css={{ display: 'flex', alignItems: 'center', gap: 8 }}>
      <span
        css={{
          inlineSize: 72,
          blockSize: 6,
          borderRadius: 3,
          backgroundColor: euiTheme.colors.backgroundBaseSubdued,
        }}
      >
        <span
          css={{
            display: 'block',
            blockSize: 6,
            borderRadius: 3,
            backgroundColor: euiTheme.colors.vis.euiColorVis0,
          }}
          style={{ width: `${(mean / Math.max(1e-9, most)) * 100}%` }}
        />
      </span>
      <EuiText size="s" css={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {formatMetric(metric, mean, unit as RateUnit)}
      </EuiText>
    </div>
  );
}
