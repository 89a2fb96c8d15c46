/** What to measure next after a cell, by what was its limit, and the way to the editor with it. */
import { EuiButtonEmpty, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { nextExperiment, nextExperimentText } from '../../../common/advice/next-experiment';
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report } from '../../../common/report/model/report';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';

export function NextExperiment({ report, cell: at }: { report: Report; cell: number }): ReactNode {
  const { host } = useApp();
  const mayDefine = usePrivilege('manage');
  const { levels } = report.cells[at]!;
  const next = nextExperiment(report.definition, report.cells[at]!, report.provenance);
  if (next === null) return null;
  const { factor } = next;
  const open = (): void =>
    host.history.push('/experiments/new', { text: nextExperimentText(report.definition, levels, next) });
  return (
    <EuiText size="s">
      <p>
        {report.cells.length === 1
          ? i18n.translate('dyno.result.next', {
              defaultMessage: 'Next: {text}',
              values: { text: next.text },
            })
          : i18n.translate('dyno.result.nextAfter', {
              defaultMessage: 'Next after {cell}: {text}',
              values: { cell: cellNames(report).names[at], text: next.text },
            })}{' '}
        {factor === null || !mayDefine ? null : (
          <EuiButtonEmpty size="xs" flush="left" iconType="pencil" onClick={open}>
            {i18n.translate('dyno.result.next.open', {
              defaultMessage: 'Open this experiment in the editor',
            })}
          </EuiButtonEmpty>
        )}
      </p>
    </EuiText>
  );
}
