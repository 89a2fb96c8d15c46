/** What the searches for the highest rate found, and their steps: of tasks that search only. */
import { EuiAccordion, EuiSpacer, useGeneratedHtmlId } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { ratesTable, searchesTable, stepsTable } from '../../../common/report/tables/highest-rate';
import type { Report } from '../../../common/report/model/report';
import { i18n } from '../../i18n';
import { OWN_HEIGHT } from '../../ui/accordion';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';
import { RateSteps } from './rate-steps';

export function HighestRatePart({ report }: { report: Report }): ReactNode {
  const id = useGeneratedHtmlId();
  const searches = useMemo(
    () =>
      report.tasks.flatMap((task) => {
        const [rates, found, steps] = [ratesTable, searchesTable, stepsTable].map((table) =>
          table(report, task),
        );
        return rates && found && steps ? [{ task, rates, found, steps }] : [];
      }),
    [report],
  );
  if (searches.length === 0) return null;
  return (
    <Part
      title={i18n.translate('dyno.result.highestRate', { defaultMessage: 'Search for the highest rate' })}
    >
      {searches.map(({ task, rates, found, steps }) => (
        <div key={task} data-test-subj="dynoHighestRate">
          <ReportTable table={rates} />
          <EuiSpacer size="l" />
          <ReportTable table={found} />
          <EuiSpacer size="l" />
          <RateSteps report={report} task={task} />
          <EuiSpacer size="m" />
          <EuiAccordion id={`${id}-${task}`} buttonContent={steps.title} paddingSize="s" css={OWN_HEIGHT}>
            <ReportTable table={steps} titled={false} />
          </EuiAccordion>
          <EuiSpacer size="l" />
        </div>
      ))}
    </Part>
  );
}
