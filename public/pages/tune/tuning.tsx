/**
 * The page of one automatic tuning. It shows the progress. At the end, it shows the recommended settings with their evidence, as text that
 * can be copied.
 */
import {
  EuiBasicTable,
  EuiButtonEmpty,
  EuiCallOut,
  EuiCodeBlock,
  EuiDescriptionList,
  EuiSpacer,
  EuiText,
  type EuiBasicTableColumn,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { GOAL_TITLES } from '../../../common/tuning/goal';
import { NO_TEMPLATE, templateRequest } from '../../../common/tuning/template';
import type { Evidence, Outcome, StageRecord, Tuning } from '../../../common/tuning/tuning';
import { againstText, besideText, figureText, stageText } from '../../../common/tuning/wording';
import { useApi, useApiChange } from '../../api/queries';
import { usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { Page, Part } from '../../ui/page';
import { StateBadge } from '../../ui/run-state';
import { useToasts } from '../../ui/toasts';
import { tuneTitle } from '.';
import { DeleteTuning } from './delete';
import { PlanView, UntriedList } from './plan';
import { TuningSteps } from './steps';

/** Refresh interval while the tuning is active, in ms. */
const RENEW_MS = 3000;

const runPath = (run: string, result: boolean): string =>
  `/runs/${encodeURIComponent(run)}${result ? '/result' : ''}`;

function RunOf({ run, ended }: { run: string; ended: boolean }): ReactNode {
  if (run === '') return i18n.translate('dyno.tune.run.begins', { defaultMessage: 'begins' });
  return <AppLink to={runPath(run, ended)}>{run}</AppLink>;
}

function Stages({ tuning: { stages, state } }: { tuning: Tuning }): ReactNode {
  const columns: EuiBasicTableColumn<StageRecord>[] = [
    {
      name: i18n.translate('dyno.tune.stage', { defaultMessage: 'Experiment' }),
      render: (stage: StageRecord) => stageText(stage),
    },
    {
      name: i18n.translate('dyno.tune.run', { defaultMessage: 'Run' }),
      width: '220px',
      render: (stage: StageRecord) => (
        <RunOf run={stage.run} ended={state !== 'running' || stage !== stages.at(-1)} />
      ),
    },
  ];
  const title = i18n.translate('dyno.tune.stages', { defaultMessage: 'Experiments' });
  return (
    <Part title={title}>
      <EuiBasicTable tableCaption={title} items={stages} columns={columns} itemId="experiment" />
    </Part>
  );
}

interface EvidenceRow {
  id: string;
  setting: string;
  change: string;
  evidence: Evidence | null;
  why: string;
}

function EvidenceTable({ title, rows }: { title: string; rows: EvidenceRow[] }): ReactNode {
  const hasReasons = rows.some(({ why }) => why !== '');
  const columns: EuiBasicTableColumn<EvidenceRow>[] = [
    {
      name: i18n.translate('dyno.tune.line.setting', { defaultMessage: 'Setting' }),
      render: ({ setting, change }: EvidenceRow) => `${setting}: ${change}`,
    },
    ...(hasReasons
      ? [
          {
            name: i18n.translate('dyno.tune.line.why', { defaultMessage: 'Why not' }),
            render: ({ why }: EvidenceRow) => why,
          },
        ]
      : []),
    {
      name: i18n.translate('dyno.tune.line.gain', { defaultMessage: 'Goal, with its interval' }),
      render: ({ evidence }: EvidenceRow) => (evidence === null ? '–' : figureText(evidence.goal)),
    },
    {
      name: i18n.translate('dyno.tune.line.elsewhere', { defaultMessage: 'Elsewhere' }),
      width: '30%',
      render: ({ evidence }: EvidenceRow) => (evidence === null ? '–' : besideText(evidence)),
    },
    {
      name: i18n.translate('dyno.tune.line.measured', { defaultMessage: 'Measured' }),
      width: '210px',
      render: ({ evidence }: EvidenceRow) =>
        evidence === null ? (
          '–'
        ) : (
          <span>
            {againstText(evidence)}, <RunOf run={evidence.run} ended />
          </span>
        ),
    },
  ];
  return <EuiBasicTable tableCaption={title} items={rows} columns={columns} itemId="id" />;
}

function Paste({ tuning, outcome }: { tuning: Tuning; outcome: Outcome }): ReactNode {
  if (!outcome.recommended) return null;
  const text = templateRequest({ request: tuning.request, outcome });
  return (
    <Part
      title={i18n.translate('dyno.tune.paste', { defaultMessage: 'Settings to paste' })}
      note={
        text === null
          ? NO_TEMPLATE
          : tuning.request.subject === undefined
            ? i18n.translate('dyno.tune.paste.noteUnknown', {
                defaultMessage:
                  'An index template for Kibana’s console. Insert the name of your index. Indices that you create later have these settings. Set the settings of the client that sends the documents separately.',
              })
            : i18n.translate('dyno.tune.paste.note', {
                defaultMessage:
                  'An index template for Kibana’s console. When you create {name} again, it has these settings. Set the settings of the client that sends the documents separately.',
                values: { name: tuning.request.subject.name },
              })
      }
    >
      <EuiDescriptionList
        type="column"
        compressed
        listItems={outcome.client.map(({ title, value }) => ({ title, description: value }))}
      />
      {text === null ? null : (
        <>
          <EuiSpacer size="m" />
          <EuiCodeBlock language="json" isCopyable overflowHeight={420} data-test-subj="dynoTuneTemplate">
            {text}
          </EuiCodeBlock>
        </>
      )}
    </Part>
  );
}

function Result({ tuning, outcome }: { tuning: Tuning; outcome: Outcome }): ReactNode {
  const {
    recommended,
    sentence,
    confirmation,
    trust = null,
    limits,
    lines,
    dropped,
    untried,
    notes,
  } = outcome;
  const settings = i18n.translate('dyno.tune.lines', { defaultMessage: 'Recommended settings' });
  const taken = i18n.translate('dyno.tune.dropped', { defaultMessage: 'Tried, but not recommended' });
  return (
    <>
      <EuiCallOut
        announceOnMount={false}
        color={!recommended ? 'primary' : trust !== null && trust.level !== 'high' ? 'warning' : 'success'}
        iconType={recommended ? 'checkCircle' : 'info'}
        title={sentence}
        data-test-subj="dynoTuneOutcome"
      >
        {trust === null ? null : <p>{trust.line}.</p>}
        {confirmation === null ? null : (
          <p>
            {i18n.translate('dyno.tune.elsewhere', {
              defaultMessage: 'Elsewhere: {beside}.',
              values: { beside: besideText(confirmation) },
            })}{' '}
            <RunOf run={confirmation.run} ended />
          </p>
        )}
        {limits.length === 0 ? null : (
          <ul>
            {limits.map(({ limit, answer, why }) => (
              <li key={limit}>
                {limit}:{' '}
                {answer === 'open'
                  ? i18n.translate('dyno.tune.limit.open', { defaultMessage: 'not shown to be kept' })
                  : answer}
                , {why}
              </li>
            ))}
          </ul>
        )}
      </EuiCallOut>
      <EuiSpacer size="l" />
      {lines.length === 0 ? null : (
        <Part title={settings}>
          <EvidenceTable
            title={settings}
            rows={lines.map(({ candidate, evidence }) => ({
              id: candidate.id,
              setting: candidate.title,
              change: `${candidate.from} → ${candidate.value}`,
              evidence,
              why: '',
            }))}
          />
        </Part>
      )}
      <Paste tuning={tuning} outcome={outcome} />
      {dropped.length === 0 ? null : (
        <Part title={taken}>
          <EvidenceTable
            title={taken}
            rows={dropped.map(({ candidate, why, evidence }) => ({
              id: candidate.id,
              setting: candidate.title,
              change: candidate.value,
              evidence,
              why,
            }))}
          />
        </Part>
      )}
      <UntriedList untried={untried} />
      {notes.length === 0 ? null : (
        <EuiText size="s">
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </EuiText>
      )}
      <EuiSpacer size="l" />
    </>
  );
}

function Cancel({ id }: { id: string }): ReactNode {
  const cancel = useApiChange('cancelTuning', ['getTuning', 'listTunings']);
  const toasts = useToasts();
  return (
    <EuiButtonEmpty
      color="danger"
      isLoading={cancel.isPending}
      onClick={() =>
        cancel.mutate(
          { params: { id } },
          {
            onError: (error) =>
              toasts.failed(
                i18n.translate('dyno.tune.cancel.failed', { defaultMessage: 'The tuning was not cancelled' }),
                error,
              ),
          },
        )
      }
    >
      {i18n.translate('dyno.tune.cancel', { defaultMessage: 'Cancel tuning' })}
    </EuiButtonEmpty>
  );
}

export default function TuningPage(): ReactNode {
  const { id = '' } = useParams();
  const query = useApi('getTuning', { params: { id } }, { every: RENEW_MS, keep: true });
  const mayCancel = usePrivilege('run');
  const mayDelete = usePrivilege('manage');
  const name = query.data?.name ?? id;
  const isActive = query.data?.state === 'running';
  return (
    <Page
      title={name}
      above={[{ text: tuneTitle(), path: '/tune' }]}
      description={query.data && GOAL_TITLES[query.data.request.goal]}
      actions={[
        ...(isActive && mayCancel ? [<Cancel key="cancel" id={id} />] : []),
        ...(query.data && !isActive && mayDelete ? [<DeleteTuning key="delete" tuning={query.data} />] : []),
      ]}
    >
      <Loadable query={query}>
        {(tuning) => (
          <>
            <p>
              <StateBadge state={tuning.state} /> {tuning.reason}
            </p>
            <EuiSpacer size="m" />
            <TuningSteps tuning={tuning} />
            {tuning.outcome === null ? null : <Result tuning={tuning} outcome={tuning.outcome} />}
            <Stages tuning={tuning} />
            {tuning.outcome === null ? (
              <Part title={i18n.translate('dyno.tune.plan', { defaultMessage: 'Plan' })}>
                <PlanView plan={tuning.plan} limits={tuning.request.limits} />
              </Part>
            ) : null}
          </>
        )}
      </Loadable>
    </Page>
  );
}
