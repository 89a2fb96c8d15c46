/** The page of a run, during the run and afterwards: progress, trials, tasks and nodes over time, and events. */
import { EuiFlexGroup, EuiFlexItem, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { RunDetail } from '../../../common/api/runs';
import { isExample } from '../../../common/example';
import { INACTIVE_STATES } from '../../../common/experiment/run';
import { useRun } from '../../api/run-stream';
import { i18n } from '../../i18n';
import { useRulesButton } from '../../ui/rules-button';
import { DashboardsMenu, viewOfRun } from '../../ui/dashboards-menu';
import { LoadsHost } from '../../ui/loads-host';
import { Loadable } from '../../ui/loadable';
import { Page } from '../../ui/page';
import { useRunActions } from './actions';
import { CellGrid } from './cell-grid';
import { Timeline } from './timeline';
import { EventLog } from './event-log';
import { RunFacts, RunHeading } from './header';
import { LastLook } from './last-look';
import { LeftBehind } from './left-behind';
import { Machines } from './machines';
import { Outcome } from './outcome';
import { RunProgress } from './run-progress';
import { useZoom } from './zoom';

export default function RunPage(): ReactNode {
  const { id = '' } = useParams();
  return <RunOf key={id} id={id} />;
}

function RunOf({ id }: { id: string }): ReactNode {
  const query = useRun(id);
  const detail = query.data;
  const actions = useRunActions(id, detail);
  const rules = useRulesButton(
    detail ? { experiment: detail.run.experiment.id, target: detail.run.experiment.target } : {},
  );
  const title = detail?.run.experiment.name ?? i18n.translate('dyno.run.title', { defaultMessage: 'Run' });
  return (
    <Page
      title={title}
      above={[{ text: i18n.translate('dyno.run.above', { defaultMessage: 'Runs' }), path: '/runs' }]}
      heading={detail && <RunHeading run={detail.run} />}
      description={detail && <RunFacts run={detail.run} />}
      actions={[
        ...actions.buttons,
        ...(detail && !isExample(id) ? rules : []),
        ...(detail && !isExample(id)
          ? [<DashboardsMenu key="dashboards" view={viewOfRun(detail.run.run, detail.run.definition)} />]
          : []),
      ]}
    >
      {actions.dialog}
      <Loadable query={query}>
        {(loaded) => (
          <Body
            id={id}
            detail={loaded}
            updatedAt={query.dataUpdatedAt}
            away={query.error !== null}
            onContinue={actions.onContinue}
          />
        )}
      </Loadable>
    </Page>
  );
}

interface BodyProps {
  id: string;
  /** Opens the dialog that continues the run; null if the run cannot be continued or the user may not do so. */
  onContinue: (() => void) | null;
  detail: RunDetail;
  /** Time at which the run was last received, in ms since the epoch. */
  updatedAt: number;
  /** Whether the last update of the run failed. The page then shows a message. */
  away: boolean;
}

function Body({ id, detail, updatedAt, away, onContinue }: BodyProps): ReactNode {
  const { run, trials } = detail;
  const zoom = useZoom(run.provenance);
  return (
    <>
      {INACTIVE_STATES.includes(run.run.state) ? null : <LoadsHost target={run.experiment.target} />}
      <Outcome id={id} detail={detail} onContinue={onContinue} />
      <LeftBehind id={id} detail={detail} />
      <RunProgress detail={detail} updatedAt={updatedAt} />
      <LastLook run={run} />
      <EuiSpacer size="l" />
      <Machines detail={detail} />
      <EuiFlexGroup gutterSize="l" wrap responsive={false}>
        <EuiFlexItem css={{ flex: '3 1 480px', minInlineSize: 0 }}>
          <CellGrid
            definition={run.definition}
            plan={run.plan}
            trials={trials}
            selected={zoom.trial}
            onSelect={zoom.toTrial}
          />
        </EuiFlexItem>
        <EuiFlexItem css={{ flex: '2 1 380px', minInlineSize: 0 }}>
          <EventLog events={run.events} trials={trials} />
        </EuiFlexItem>
      </EuiFlexGroup>
      {trials.length === 0 ? null : (
        <Timeline id={id} detail={detail} zoom={zoom} updatedAt={updatedAt} away={away} />
      )}
    </>
  );
}
