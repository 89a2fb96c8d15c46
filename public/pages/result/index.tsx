/** The result of a run: the verdict on top, and tabs with the values behind it. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiFlexGroup,
  EuiFlexItem,
  EuiSkeletonRectangle,
  EuiSkeletonText,
  EuiSpacer,
} from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import { useLocation, useParams } from 'react-router';
import { engineWithVersion } from '../../../common/elasticsearch/engine';
import { isExample } from '../../../common/example';
import { formatYaml } from '../../../common/experiment/document';
import { FINAL_STATES, outcomeOf } from '../../../common/experiment/run';
import { glanceOf } from '../../../common/report/glance';
import type { Report } from '../../../common/report/model/report';
import { formatDuration, plural, sentenceCase } from '../../../common/units/format';
import { useApp, usePrivilege } from '../../app/context';
import { useApi, useRenewal } from '../../api/queries';
import { i18n } from '../../i18n';
import { DashboardsMenu, viewOfRun } from '../../ui/dashboards-menu';
import { ExampleOrigin } from '../../ui/example';
import { HistoryButton } from '../../ui/history-button';
import { isPlainClick, useLinkProps } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { NARROW_PAGE, Page, type PageProps } from '../../ui/page';
import { stateName } from '../../ui/run-state';
import { ShortTime } from '../../ui/time';
import { RunDialog } from '../experiments/run-dialog';
import { useExperimentActions } from '../experiments/use-actions';
import { CopyLink, ExportMenu } from './exports';
import { FirstScreen } from './first-screen';
import { HeaderButton } from './header-button';
import { useOpenNext } from './next-experiment';
import { NotesFlyout } from './notes-flyout';
import { reportRequest } from './requests';
import { searchOfTab, TABS, type Tab } from './tabs';
import { TabContent } from './tab-content';
import { useTab } from './use-tab';
import { WhyButton } from './why';

/** Refresh interval while the run is active, in ms. */
const RENEW_MS = 10_000;

/** Routes whose responses change with every completed trial. */
const OF_TRIALS = ['getDistributions', 'getTimeline', 'getProfile'] as const;

const isOver = ({ run }: Report): boolean => FINAL_STATES.includes(run.state);

/** Short facts about the run. They omit its machines and clusters, which the tab *Setup* shows. */
function Facts({ report: { run, provenance, experiment } }: { report: Report }): ReactNode {
  const items: ReactNode[] = [
    sentenceCase(stateName(outcomeOf(run.state, run.trials.failed))),
    <ShortTime key="time" iso={run.started} />,
    ...(run.elapsedMs === null ? [] : [formatDuration(run.elapsedMs)]),
    run.trials.completed === run.trials.planned
      ? plural(run.trials.planned, 'trial')
      : i18n.translate('dyno.result.facts.trials', {
          defaultMessage: '{completed} of {planned, plural, one {# trial} other {# trials}}',
          values: { ...run.trials },
        }),
  ];
  const places: string[] = [
    ...(provenance === null
      ? []
      : [engineWithVersion(provenance.cluster), plural(provenance.nodes.length, 'node')]),
    ...(experiment.preset === null
      ? []
      : [
          i18n.translate('dyno.result.facts.preset', {
            defaultMessage: 'preset {preset}',
            values: { preset: experiment.preset },
          }),
        ]),
  ];
  return (
    <p>
      {items.map((item, at) => (
        <span key={at}>
          {at === 0 ? null : <span aria-hidden> · </span>}
          {item}
        </span>
      ))}
      <span css={{ [NARROW_PAGE]: { display: 'none' } }}>
        {places.map((place) => (
          <span key={place}>
            <span aria-hidden> · </span>
            {place}
          </span>
        ))}
      </span>
    </p>
  );
}

const tabName = (tab: Tab): string =>
  ({
    overview: i18n.translate('dyno.result.tab.overview', { defaultMessage: 'Overview' }),
    latency: i18n.translate('dyno.result.tab.latency', { defaultMessage: 'Latency' }),
    cluster: i18n.translate('dyno.result.tab.cluster', { defaultMessage: 'Cluster' }),
    trials: i18n.translate('dyno.result.tab.trials', { defaultMessage: 'Trials' }),
    setup: i18n.translate('dyno.result.tab.setup', { defaultMessage: 'Setup' }),
  })[tab];

/** Returns the tabs of the page. If no trial has completed, these are only the three tabs that have content. */
const tabsOf = (report: Report): readonly Tab[] =>
  report.run.trials.completed > 0 ? TABS : ['overview', 'trials', 'setup'];

function useTabs(report: Report | undefined): PageProps['tabs'] {
  const { history } = useApp().host;
  const { pathname, search } = useLocation();
  const [open, setOpen] = useTab();
  if (report === undefined) return undefined;
  return tabsOf(report).map((tab) => ({
    label: tabName(tab),
    isSelected: tab === open,
    href: history.createHref({ pathname, search: searchOfTab(search, tab), hash: '' }),
    onClick: (event) => {
      if (!isPlainClick(event)) return;
      event.preventDefault();
      setOpen(tab);
    },
  }));
}

/** Links to other pages about this run and its experiment. */
function Elsewhere({ report }: { report: Report }): ReactNode {
  const linkProps = useLinkProps();
  const { run, experiment } = report;
  const isOwn = !isExample(run.id);
  return (
    <EuiFlexGroup
      component="nav"
      gutterSize="xs"
      responsive={false}
      wrap
      aria-label={i18n.translate('dyno.result.elsewhere', { defaultMessage: 'More about this run' })}
    >
      <EuiFlexItem grow={false}>
        <EuiButtonEmpty size="s" iconType="chartLine" {...linkProps(`/runs/${encodeURIComponent(run.id)}`)}>
          {i18n.translate('dyno.result.course', { defaultMessage: 'Timeline of the run' })}
        </EuiButtonEmpty>
      </EuiFlexItem>
      <WhyButton report={report} />
      {isOwn ? (
        <>
          <EuiFlexItem grow={false}>
            <HistoryButton size="s" experiment={experiment.id} />
          </EuiFlexItem>
          <EuiFlexItem grow={false}>
            <DashboardsMenu size="s" view={viewOfRun(run, report.definition)} />
          </EuiFlexItem>
        </>
      ) : (
        <EuiFlexItem grow={false} css={{ justifyContent: 'center', fontSize: 12 }}>
          <ExampleOrigin />
        </EuiFlexItem>
      )}
    </EuiFlexGroup>
  );
}

/**
 * Returns the buttons that run or edit the experiment of the run. Dyno's example run has no experiment on this server, so editing it
 * creates a new one.
 */
function useExperiment(report: Report | undefined): {
  buttons: ReactNode[];
  dialog: ReactNode;
  again: (() => void) | null;
  edit: (() => void) | null;
} {
  const { history } = useApp().host;
  const actions = useExperimentActions();
  const mayRun = usePrivilege('run');
  const mayDefine = usePrivilege('manage');
  const linkProps = useLinkProps();
  if (report === undefined) return { buttons: [], dialog: null, again: null, edit: null };
  const { run, experiment, definition } = report;
  const editor = `/experiments/${encodeURIComponent(experiment.id)}`;
  const openNew = (): void => history.push('/experiments/new', { text: formatYaml(definition) });
  if (isExample(run.id)) {
    return {
      buttons: mayDefine
        ? [
            <EuiButton key="own" size="s" fill iconType="pencil" onClick={openNew}>
              {i18n.translate('dyno.result.own', { defaultMessage: 'Try it yourself' })}
            </EuiButton>,
          ]
        : [],
      dialog: null,
      again: null,
      edit: mayDefine ? openNew : null,
    };
  }
  const again = (): void => void actions.run({ id: experiment.id });
  return {
    buttons: [
      ...(mayRun && isOver(report)
        ? [
            <EuiButton key="again" size="s" fill iconType="play" isLoading={actions.busy} onClick={again}>
              {i18n.translate('dyno.result.again', { defaultMessage: 'Run again' })}
            </EuiButton>,
          ]
        : []),
      <HeaderButton
        key="edit"
        label={
          mayDefine
            ? i18n.translate('dyno.result.edit', { defaultMessage: 'Edit experiment' })
            : i18n.translate('dyno.run.experiment', { defaultMessage: 'Experiment' })
        }
        icon="pencil"
        {...linkProps(editor)}
      />,
    ],
    dialog: <RunDialog running={actions} />,
    again: mayRun && isOver(report) ? again : null,
    edit: mayDefine ? () => history.push(editor) : null,
  };
}

interface BodyProps {
  report: Report;
  again: (() => void) | null;
  edit: (() => void) | null;
}

function Body({ report, again, edit }: BodyProps): ReactNode {
  const { history } = useApp().host;
  const [tab] = useTab();
  const [showsNotes, setNotes] = useState(false);
  const glance = useMemo(() => glanceOf(report), [report]);
  const openNext = useOpenNext(report);
  const { step } = glance;
  const onStep = (): (() => void) | null => {
    switch (step.kind) {
      case 'watch':
        return () => history.push(`/runs/${encodeURIComponent(report.run.id)}`);
      case 'again':
        return again;
      case 'edit':
        return edit;
      case 'experiment':
        return openNext === null ? null : () => openNext(step.cell);
    }
  };
  return (
    <>
      {tab === 'overview' ? (
        <>
          <FirstScreen report={report} glance={glance} onNotes={() => setNotes(true)} onStep={onStep()} />
          <EuiSpacer size="s" />
          <Elsewhere report={report} />
          <EuiSpacer size="l" />
        </>
      ) : null}
      <TabContent report={report} tab={tab} />
      {showsNotes ? <NotesFlyout report={report} onClose={() => setNotes(false)} /> : null}
    </>
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
  const [isActive, setActive] = useState(false);
  const query = useApi('getReport', reportRequest(id), { every: isActive ? RENEW_MS : false });
  const report = query.data;
  const now = report !== undefined && !isOver(report);
  if (now !== isActive) setActive(now);
  useRenewal(OF_TRIALS, report && `${report.run.state} ${report.run.trials.completed}`);
  const tabs = useTabs(report);
  const { buttons, dialog, again, edit } = useExperiment(report);
  const title = i18n.translate('dyno.result.title', { defaultMessage: 'Result' });
  const [primary, ...others] = buttons;
  return (
    <Page
      title={title}
      heading={report?.experiment.name ?? title}
      above={[
        { text: i18n.translate('dyno.nav.runs', { defaultMessage: 'Runs' }), path: '/runs' },
        { text: report?.experiment.name ?? id, path: `/runs/${encodeURIComponent(id)}` },
      ]}
      description={report === undefined ? undefined : <Facts report={report} />}
      tabs={tabs}
      isCompact
      actions={[
        primary,
        <ExportMenu key="export" run={id} report={report} />,
        <CopyLink key="link" />,
        ...(isExample(id)
          ? []
          : [
              <HeaderButton
                key="compare"
                label={i18n.translate('dyno.result.compare', { defaultMessage: 'Compare' })}
                icon="compare"
                {...linkProps(`/compare?runs=${encodeURIComponent(id)}`)}
              />,
            ]),
        ...others,
      ]}
    >
      {dialog}
      <Loadable query={query} skeleton={skeleton}>
        {(loaded) => <Body report={loaded} again={again} edit={edit} />}
      </Loadable>
    </Page>
  );
}
