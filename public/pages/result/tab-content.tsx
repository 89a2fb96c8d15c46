/** The content of each tab of a result. */
import { useMemo, type ReactNode } from 'react';
import type { Report } from '../../../common/report/model/report';
import { groupTables } from '../../../common/report/tables';
import { i18n } from '../../i18n';
import { Part } from '../../ui/page';
import { CapacityPart } from './capacity-part';
import { CellsOverTimePart } from './cells-over-time-part';
import { CellsPart } from './cells-part';
import { DistributionsPart } from './distributions-part';
import { FactorPart } from './factor-part';
import { HighestRatePart } from './highest-rate-part';
import { LimitPart } from './limit-part';
import { ProfilePart } from './profile-part';
import { ProvenancePart } from './provenance-part';
import { PublishedPart } from './published-part';
import { RecallPart } from './recall-part';
import { AnswersPart, LATENCY_TABLES, LinesPart, ServerPart, Tables, ThresholdsPart } from './table-parts';
import type { Tab } from './tabs';
import { TrialsPart } from './trials-part';
import { useTask } from './use-choice';

function Overview({ report }: { report: Report }): ReactNode {
  return (
    <>
      <ThresholdsPart report={report} />
      <FactorPart report={report} />
      <CellsPart report={report} />
      <HighestRatePart report={report} />
      <RecallPart report={report} />
      <CapacityPart report={report} />
      <PublishedPart report={report} />
    </>
  );
}

function LatencyTables({ report }: { report: Report }): ReactNode {
  const [task] = useTask(report);
  const tables = useMemo(
    () => groupTables(report, 'task', task).filter(({ id }) => LATENCY_TABLES.includes(id)),
    [report, task],
  );
  if (tables.length === 0) return null;
  return (
    <Part
      title={i18n.translate('dyno.result.latencyTables', {
        defaultMessage: 'Latency of {task} by cell',
        values: { task },
      })}
    >
      <Tables tables={tables} />
    </Part>
  );
}

export function TabContent({ report, tab }: { report: Report; tab: Tab }): ReactNode {
  const hasTrials = report.run.trials.completed > 0;
  switch (tab) {
    case 'overview':
      return hasTrials ? (
        <>
          <Overview report={report} />
          <AnswersPart report={report} />
        </>
      ) : null;
    case 'latency':
      return hasTrials ? (
        <>
          <DistributionsPart report={report} />
          <LatencyTables report={report} />
        </>
      ) : null;
    case 'cluster':
      return hasTrials ? (
        <>
          <LimitPart report={report} />
          <ProfilePart report={report} />
          <ServerPart report={report} />
        </>
      ) : null;
    case 'trials':
      return (
        <>
          <TrialsPart report={report} />
          {hasTrials ? <CellsOverTimePart report={report} /> : null}
          {hasTrials ? <LinesPart report={report} /> : null}
        </>
      );
    case 'setup':
      return <ProvenancePart report={report} />;
  }
}
