/** The page of all experiments: the question of each, its last result, its active run, and ways to create one. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFlyout,
  EuiFlyoutBody,
  EuiFlyoutHeader,
  EuiSkeletonText,
  EuiSpacer,
  EuiText,
  EuiTitle,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { ExperimentSummary } from '../../../common/api/experiments';
import { isStarting, useApi } from '../../api/queries';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { ExamplePanel } from '../../ui/example';
import { useLinkProps } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { Page } from '../../ui/page';
import { DeleteDialog } from './delete-dialog';
import { ExperimentsOfTunings } from './of-tunings';
import { ImportDialog } from './import-dialog';
import { FirstExperiment, PresetGallery } from './presets';
import { RunDialog } from './run-dialog';
import { SavedSearchDialog } from './saved-search-dialog';
import { ScheduleDialog } from './schedule-dialog';
import { ExperimentTable, useExperimentQuery } from './table';
import { useExperimentDashboard } from './use-actions';
import { useExperimentActions, type ExperimentActions } from './use-actions';

/** Time between two refreshes of the list while a run is running or waiting, in ms. */
const POLL_BUSY_MS = 2000;
/** Time between two refreshes of the list while no run is running or waiting, in ms. */
const POLL_IDLE_MS = 15_000;

type Dialog =
  | { kind: 'delete' | 'schedule'; experiment: ExperimentSummary }
  | { kind: 'import' }
  | { kind: 'saved-search' }
  | { kind: 'presets' }
  | null;

function Empty({ actions }: { actions: ExperimentActions }): ReactNode {
  return (
    <>
      <EuiFlexGroup gutterSize="l" wrap>
        <EuiFlexItem css={{ flex: '1 1 340px' }}>
          <FirstExperiment busy={actions.busy} onRun={(text) => void actions.runText(text)} />
        </EuiFlexItem>
        <EuiFlexItem css={{ flex: '1 1 340px' }}>
          <ExamplePanel />
        </EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="l" />
      <EuiText>
        <h2>
          {i18n.translate('dyno.experiments.empty.title', {
            defaultMessage: 'Repeat a published experiment',
          })}
        </h2>
        <p>
          {i18n.translate('dyno.experiments.empty.body', {
            defaultMessage:
              'These experiments repeat published measurements on your cluster, and show the published numbers next to yours. Dyno’s own experiments have no published numbers. Quick takes minutes and gives a first idea. Full takes as long as the original.',
          })}
        </p>
      </EuiText>
      <EuiSpacer />
      <PresetGallery busy={actions.busy} onRun={(text) => void actions.runText(text)} />
    </>
  );
}

function PresetFlyout({ actions, onClose }: { actions: ExperimentActions; onClose: () => void }): ReactNode {
  const titleId = useGeneratedHtmlId();
  return (
    <EuiFlyout onClose={onClose} aria-labelledby={titleId} size="m">
      <EuiFlyoutHeader hasBorder>
        <EuiTitle size="m">
          <h2 id={titleId}>
            {i18n.translate('dyno.experiments.presets.title', { defaultMessage: 'Published experiments' })}
          </h2>
        </EuiTitle>
      </EuiFlyoutHeader>
      <EuiFlyoutBody>
        <PresetGallery busy={actions.busy} onRun={(text) => void actions.runText(text)} />
      </EuiFlyoutBody>
    </EuiFlyout>
  );
}

function Dialogs({
  dialog,
  actions,
  onClose,
}: {
  dialog: Dialog;
  actions: ExperimentActions;
  onClose: () => void;
}): ReactNode {
  return (
    <>
      {dialog?.kind === 'delete' ? (
        <DeleteDialog experiments={[dialog.experiment]} onClose={onClose} />
      ) : null}
      {dialog?.kind === 'schedule' ? (
        <ScheduleDialog experiment={dialog.experiment} onClose={onClose} />
      ) : null}
      {dialog?.kind === 'import' ? <ImportDialog onClose={onClose} /> : null}
      {dialog?.kind === 'saved-search' ? <SavedSearchDialog onClose={onClose} /> : null}
      {dialog?.kind === 'presets' ? <PresetFlyout actions={actions} onClose={onClose} /> : null}
      <RunDialog running={actions} />
    </>
  );
}

export default function ExperimentsPage(): ReactNode {
  const { host } = useApp();
  const { history } = host;
  const openDashboard = useExperimentDashboard();
  const linkProps = useLinkProps();
  const canRun = usePrivilege('run');
  const canManage = usePrivilege('manage');
  const actions = useExperimentActions();
  const [dialog, setDialog] = useState<Dialog>(null);
  const [busy, setBusy] = useState(false);
  const asked = useExperimentQuery();
  const query = useApi(
    'listExperiments',
    { query: asked.request },
    { every: busy ? POLL_BUSY_MS : POLL_IDLE_MS, keep: true },
  );
  const experiments = query.data?.experiments;
  const active = experiments?.some((experiment) => experiment.active !== null) ?? false;
  if (active !== busy) setBusy(active);
  const isEmpty = query.data?.all === 0;
  const buttons = canManage
    ? [
        <EuiButton key="new" fill={!isEmpty} iconType="plusCircle" {...linkProps('/experiments/new')}>
          {i18n.translate('dyno.experiments.new', { defaultMessage: 'New experiment' })}
        </EuiButton>,
        // An empty list shows the presets itself. Until the list is loaded, the button is hidden, so that it does not flicker.
        ...(experiments === undefined || isEmpty
          ? []
          : [
              <EuiButtonEmpty
                key="presets"
                iconType="documents"
                onClick={() => setDialog({ kind: 'presets' })}
              >
                {i18n.translate('dyno.experiments.fromPreset', { defaultMessage: 'Published experiments' })}
              </EuiButtonEmpty>,
            ]),
        <EuiButtonEmpty key="import" iconType="upload" onClick={() => setDialog({ kind: 'import' })}>
          {i18n.translate('dyno.experiments.import', { defaultMessage: 'Import' })}
        </EuiButtonEmpty>,
        ...(host.searches === undefined
          ? []
          : [
              <EuiButtonEmpty
                key="saved-search"
                iconType="dashboardApp"
                onClick={() => setDialog({ kind: 'saved-search' })}
              >
                {i18n.translate('dyno.experiments.fromSavedSearch', {
                  defaultMessage: 'From Kibana',
                })}
              </EuiButtonEmpty>,
            ]),
      ]
    : [];
  return (
    <Page
      title={i18n.translate('dyno.nav.experiments', { defaultMessage: 'Experiments' })}
      description={
        // The introduction is only for the first visit, because users with experiments know it.
        isEmpty
          ? i18n.translate('dyno.experiments.about', {
              defaultMessage:
                'Dyno measures how fast an Elasticsearch cluster indexes and searches. It shows whether a change of settings, hardware or queries makes a difference that is larger than the noise.',
            })
          : undefined
      }
      actions={buttons}
    >
      <Loadable
        query={query}
        skeleton={isStarting(query.error) ? <ExamplePanel /> : <EuiSkeletonText lines={8} />}
      >
        {(list) =>
          list.all === 0 ? (
            <Empty actions={actions} />
          ) : (
            <>
              <ExperimentTable
                list={list}
                query={asked}
                actions={{
                  canRun,
                  canManage,
                  onRun: (experiment) => void actions.run(experiment),
                  onEdit: ({ id }) => history.push(`/experiments/${encodeURIComponent(id)}`),
                  onDuplicate: ({ id }) => history.push(`/experiments/new?copy=${encodeURIComponent(id)}`),
                  onHistory: ({ id }) => history.push(`/experiments/${encodeURIComponent(id)}/history`),
                  onSchedule: (experiment) => setDialog({ kind: 'schedule', experiment }),
                  onExport: (experiment) => void actions.exportYaml(experiment),
                  onDashboard: host.dashboards && ((experiment) => void openDashboard(experiment)),
                  onDelete: (experiment) => setDialog({ kind: 'delete', experiment }),
                }}
              />
              <ExperimentsOfTunings count={list.ofTunings} />
            </>
          )
        }
      </Loadable>
      <Dialogs dialog={dialog} actions={actions} onClose={() => setDialog(null)} />
    </Page>
  );
}
