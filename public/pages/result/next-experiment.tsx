/**
 * A proposal for the next experiment. It depends on the resource, such as CPU, that limited the trials. A button opens the proposal in the
 * editor.
 */
import { EuiButtonEmpty, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import {
  nextExperiment,
  nextExperimentText,
  type NextExperiment as NextExperimentOf,
} from '../../../common/tuning/next-experiment';
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report } from '../../../common/report/model/report';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';

const nextAfter = ({ cells, definition, provenance }: Report, at: number): NextExperimentOf | null =>
  nextExperiment(definition, cells[at]!, provenance);

/**
 * Returns a function that opens the proposal for a combination of factor levels in the editor. Null if the user may not define experiments.
 */
export function useOpenNext(report: Report): ((cell: number) => void) | null {
  const { host } = useApp();
  const mayDefine = usePrivilege('manage');
  if (!mayDefine) return null;
  return (at) => {
    const next = nextAfter(report, at);
    if (next === null) return;
    const text = nextExperimentText(report.definition, report.cells[at]!.levels, next);
    host.history.push('/experiments/new', { text });
  };
}

export function NextExperiment({ report, cell: at }: { report: Report; cell: number }): ReactNode {
  const open = useOpenNext(report);
  const next = nextAfter(report, at);
  if (next === null) return null;
  const { factor } = next;
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
        {factor === null || open === null ? null : (
          <EuiButtonEmpty size="xs" flush="left" iconType="pencil" onClick={() => open(at)}>
            {i18n.translate('dyno.result.next.open', {
              defaultMessage: 'Open this experiment in the editor',
            })}
          </EuiButtonEmpty>
        )}
      </p>
    </EuiText>
  );
}
