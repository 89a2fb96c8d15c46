/** Shows which resource, such as CPU or disk, limited the trials of each combination of factor levels, with the evidence. */
import { EuiBadge, EuiButtonEmpty, EuiSpacer } from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import type { LimitName } from '../../../common/analysis/limiting-factor';
import { cellNames } from '../../../common/report/model/cell-names';
import { limitTable } from '../../../common/report/tables/limit';
import type { Report } from '../../../common/report/model/report';
import { keepColumns, type TableCell } from '../../../common/report/tables/table';
import { NearViewport } from '../../charts/result/near-viewport';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';
import { LimitEvidence } from './limit-evidence';
import { NextExperiment } from './next-experiment';

const ICONS: Partial<Record<LimitName, string>> = {
  generator: 'warning',
  'none found': 'magnify',
  cpu: 'memory',
};

/** Columns that are shown only in an unfolded row. */
const IN_DETAIL: readonly string[] = ['also at its limit', 'not judged', 'next'];

function LimitBadge({ name, text }: { name: LimitName; text: string }): ReactNode {
  const color = name === 'generator' ? 'warning' : name === 'none found' ? 'hollow' : 'primary';
  return (
    <EuiBadge color={color} iconType={ICONS[name] ?? 'bolt'}>
      {text}
    </EuiBadge>
  );
}

/**
 * Returns the index of the combination of factor levels from which the next experiment is derived. It is the combination with the highest
 * throughput in its first task.
 */
const best = ({ cells }: Report, judged: readonly { at: number }[]): number =>
  judged
    .map(({ at }) => ({ at, rate: cells[at]!.tasks[0]?.throughput.mean ?? 0 }))
    .reduce((highest, one) => (one.rate > highest.rate ? one : highest)).at;

export function LimitPart({ report }: { report: Report }): ReactNode {
  const [open, setOpen] = useState<number | null>(null);
  const table = useMemo(() => {
    const whole = limitTable(report);
    return whole && keepColumns(whole, ({ name }) => !IN_DETAIL.includes(name));
  }, [report]);
  const judged = useMemo(
    () => report.cells.flatMap(({ limit }, at) => (limit === null ? [] : [{ limit, at }])),
    [report],
  );
  if (table === null) return null;
  const names = cellNames(report).names;
  const badge = (row: number, column: number, { text }: TableCell): ReactNode | undefined =>
    column === 1 ? <LimitBadge name={judged[row]!.limit.name} text={text} /> : undefined;
  return (
    <Part title={table.title} note={table.note}>
      <NearViewport height={36 + table.rows.length * 37}>
        {() => (
          <ReportTable
            table={{ ...table, note: '' }}
            titled={false}
            render={badge}
            below={(row) =>
              row === open ? (
                <>
                  <NextExperiment report={report} cell={judged[row]!.at} />
                  <LimitEvidence limit={judged[row]!.limit} />
                </>
              ) : null
            }
            last={{
              name: i18n.translate('dyno.result.limit.details', { defaultMessage: 'Judged' }),
              render: (row) => (
                <EuiButtonEmpty
                  size="xs"
                  flush="left"
                  iconType={open === row ? 'chevronSingleDown' : 'chevronSingleRight'}
                  aria-expanded={open === row}
                  onClick={() => setOpen(open === row ? null : row)}
                  aria-label={i18n.translate('dyno.result.limit.showOf', {
                    defaultMessage: 'Details: {cell}',
                    values: { cell: names[judged[row]!.at] },
                  })}
                >
                  {i18n.translate('dyno.result.limit.show', { defaultMessage: 'Details' })}
                </EuiButtonEmpty>
              ),
            }}
          />
        )}
      </NearViewport>
      <EuiSpacer size="s" />
      <NextExperiment report={report} cell={best(report, judged)} />
    </Part>
  );
}
