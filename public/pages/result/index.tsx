/** The result of a run: what came out, how sure it is, what it stands on. */
import {
  EuiButtonEmpty,
  EuiFlexGroup,
  EuiFlexItem,
  EuiSkeletonRectangle,
  EuiSkeletonText,
  EuiSpacer,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { useParams } from 'react-router';
import { isExample } from '../../../common/example';
import { outcomeOf } from '../../../common/experiment/run';
import type { Report } from '../../../common/report/model/report';
import { formatDuration, plural } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { DashboardsMenu, viewOfRun } from '../../ui/dashboards-menu';
import { ExampleOrigin } from '../../ui/example';
import { HistoryButton } from '../../ui/history-button';
import { useLinkProps } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { Page, WithContents } from '../../ui/page';
import { StateBadge } from '../../ui/run-state';
import { Time } from '../../ui/time';
import { CapacityPart } from './capacity-part';
import { CellsOverTimePart } from './cells-over-time-part';
import { CellsPart } from './cells-part';
import { DistributionsPart } from './distributions-part';
import { CopyLink, ExportMenu } from './exports';
import { FactorPart } from './factor-part';
import { HighestRatePart } from './highest-rate-part';
import { LimitPart } from './limit-part';
import { ProvenancePart } from './provenance-part';
import { RecallPart } from './recall-part';
import { PublishedPart } from './published-part';
import { LinesPart, ServerPart, ThresholdsPart } from './table-parts';
import { TrialsPart } from './trials-part';
import { isOver, VerdictPart } from './verdict';
import { reportRequest } from './requests';

/** While the run goes on, ms. */
const RENEW_MS = 10_000;

function Facts({ report: { run, provenance, experiment } }: { report: Report }): ReactNode {
  const items: ReactNode[] = [
    <StateBadge key="state" state={outcomeOf(run.state, run.trials.failed)} />,
    <Time key="time" iso={run.started} />,
    ...(run.elapsedMs === null ? [] : [formatDuration(run.elapsedMs)]),
    i18n.translate('dyno.result.facts.trials', {
      defaultMessage: '{completed} of {planned, plural, one {# trial} other {# trials}}',
      values: { ...run.trials },
    }),
    ...(provenance === null
      ? []
      : [
          `${provenance.cluster.name}, Elasticsearch ${provenance.cluster.version}, ${plural(provenance.nodes.length, 'node')}`,
        ]),
    ...(experiment.preset === null
      ? []
      : [
          i18n.translate('dyno.result.facts.preset', {
            defaultMessage: 'preset {preset}',
            values: { preset: experiment.preset },
          }),
        ]),
    ...(isExample(run.id) ? [<ExampleOrigin key="example" />] : []),
  ];
  return (
    <EuiFlexGroup gutterSize="m" wrap responsive={false} alignItems="center" component="span">
      {items.map((item, at) => (
        <EuiFlexItem grow={false} key={at} component="span">
          {item}
        </EuiFlexItem>
      ))}
    </EuiFlexGroup>
  );
}

function Parts({ report }: { report: Report }): ReactNode {
  const counted = report.run.trials.completed > 0;
  return (
    <WithContents>
      <VerdictPart report={report} />
      {counted ? (
        <>
          <ThresholdsPart report={report} />
          <HighestRatePart report={report} />
          <RecallPart report={report} />
          <FactorPart report={report} />
          <CapacityPart report={report} />
          <CellsOverTimePart report={report} />
          <PublishedPart report={report} />
          <CellsPart report={report} />
          <LinesPart report={report} />
          <DistributionsPart report={report} />
          <LimitPart report={report} />
          <ServerPart report={report} />
        </>
      ) : null}
      <TrialsPart report={report} />
      <ProvenancePart report={report} />
    </WithContents>
  );
}

const skeleton = (
  <>
    <EuiSkeletonText lines={3} />
    <EuiSpacer />
    <EuiSkeletonRectangle width="100%" height={340} />
  </>
);

export default function ResultPage(): ReactNode {
  const { id = '' } = useParams();
  const linkProps = useLinkProps();
  const [goesOn, setGoesOn] = useState(false);
  const query = useApi('getReport', reportRequest(id), { every: goesOn ? RENEW_MS : false });
  const report = query.data;
  const now = report !== undefined && !isOver(report);
  if (now !== goesOn) setGoesOn(now);
  // What is kept beside a run of one's own, the example has not.
  const own = isExample(id) ? undefined : report;
  const title = i18n.translate('dyno.result.title', { defaultMessage: 'Result' });
  const run = `/runs/${encodeURIComponent(id)}`;
  return (
    <Page
      title={title}
      heading={report?.experiment.name ?? title}
      above={[
        { text: i18n.translate('dyno.nav.runs', { defaultMessage: 'Runs' }), path: '/runs' },
        { text: report?.experiment.name ?? id, path: run },
      ]}
      description={report === undefined ? undefined : <Facts report={report} />}
      actions={[
        <ExportMenu key="export" run={id} hasEnded={report !== undefined && isOver(report)} />,
        <CopyLink key="link" />,
        ...(isExample(id)
          ? []
          : [
              <EuiButtonEmpty
                key="compare"
                size="s"
                iconType="compare"
                {...linkProps(`/compare?runs=${encodeURIComponent(id)}`)}
              >
                {i18n.translate('dyno.result.compare', { defaultMessage: 'Compare' })}
              </EuiButtonEmpty>,
            ]),
        <EuiButtonEmpty key="course" size="s" iconType="chartLine" {...linkProps(run)}>
          {i18n.translate('dyno.result.course', { defaultMessage: 'Timeline of the run' })}
        </EuiButtonEmpty>,
        ...(own ? [<HistoryButton key="history" size="s" experiment={own.experiment.id} />] : []),
        ...(own
          ? [<DashboardsMenu key="dashboards" size="s" view={viewOfRun(own.run, own.definition)} />]
          : []),
      ]}
    >
      <Loadable query={query} skeleton={skeleton}>
        {(loaded) => <Parts report={loaded} />}
      </Loadable>
    </Page>
  );
}
