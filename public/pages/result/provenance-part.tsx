/** Where the result comes from: what was measured, from which machine, and the definition of the run. */
import { EuiCodeBlock, EuiSpacer, EuiText } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { formatYaml } from '../../../common/experiment/document';
import type { Report } from '../../../common/report/model/report';
import { environmentTable } from '../../../common/report/tables/environments';
import { provenanceTable } from '../../../common/report/tables/run';
import { NearViewport } from '../../charts/result/near-viewport';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';
import { otherTables, Tables } from './table-parts';

function DefinitionText({ report }: { report: Report }): ReactNode {
  const yaml = useMemo(() => formatYaml(report.definition), [report]);
  return (
    <EuiCodeBlock
      language="yaml"
      isCopyable
      overflowHeight={480}
      paddingSize="m"
      aria-label={i18n.translate('dyno.result.definition', { defaultMessage: 'Definition' })}
    >
      {yaml}
    </EuiCodeBlock>
  );
}

export function ProvenancePart({ report }: { report: Report }): ReactNode {
  const table = useMemo(() => provenanceTable(report), [report]);
  const environments = useMemo(() => environmentTable(report), [report]);
  const others = useMemo(() => otherTables(report, 'run'), [report]);
  return (
    <>
      {environments === null ? null : (
        <Part
          title={i18n.translate('dyno.result.environments', { defaultMessage: 'Environments' })}
          note={environments.note}
        >
          <ReportTable table={{ ...environments, note: '' }} titled={false} />
        </Part>
      )}
      <Part
        title={i18n.translate('dyno.result.provenance', { defaultMessage: 'Provenance' })}
        note={i18n.translate('dyno.result.provenance.note', {
          defaultMessage:
            'The cluster that was measured, and the machine that generated the load. Only compare results with those of a similar set-up.',
        })}
      >
        {table === null ? (
          <EuiText size="s">
            <p>
              {i18n.translate('dyno.result.provenance.unknown', {
                defaultMessage: 'Unknown: the run ended before its target was inspected.',
              })}
            </p>
          </EuiText>
        ) : (
          <ReportTable table={table} titled={false} />
        )}
        <Tables tables={others} />
      </Part>
      <Part
        title={i18n.translate('dyno.result.definition', { defaultMessage: 'Definition' })}
        note={i18n.translate('dyno.result.definition.note', {
          defaultMessage: 'The definition as it ran, with all defaults.',
        })}
      >
        <NearViewport height={480}>{() => <DefinitionText report={report} />}</NearViewport>
        <EuiSpacer size="l" />
      </Part>
    </>
  );
}
