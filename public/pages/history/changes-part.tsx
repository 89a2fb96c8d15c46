/**
 * List of changes in the history of an experiment, the newest first. Each entry shows what changed in a run, and the later runs that
 * confirmed the change.
 */
import {
  EuiBadge,
  EuiButtonEmpty,
  EuiFlexGroup,
  EuiFlexItem,
  EuiIcon,
  EuiLink,
  EuiPanel,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { HistoryChange, ListedRun } from '../../../common/history/history';
import { listed } from '../../../common/analysis/wording';
import { sentenceCase } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { Part } from '../../ui/page';
import { ShortTime } from '../../ui/time';
import { ConfirmButton } from './confirm-button';
import { causeOf, groupsOf, type ChangeGroup } from './view';

interface ChangesPartProps {
  experiment: string;
  /** Changes in the selected time range, the newest first. */
  changes: readonly HistoryChange[];
  /** Called when the user wants to see the chart of the metric that changed. */
  onShow: (change: HistoryChange) => void;
}

/** Number of runs with changes that are shown at first. */
const MOST_GROUPS = 4;
/** Number of changes that are shown for each run. */
const MOST_CHANGES = 6;

export function ChangesPart({ experiment, changes, onShow }: ChangesPartProps): ReactNode {
  const [isAll, setAll] = useState(false);
  const groups = groupsOf(changes);
  const shown = isAll ? groups : groups.slice(0, MOST_GROUPS);
  return (
    <Part title={i18n.translate('dyno.history.changes', { defaultMessage: 'Changes' })}>
      {groups.length === 0 ? (
        <EuiText size="s" color="subdued">
          <p>
            {i18n.translate('dyno.history.changes.none', {
              defaultMessage: 'There is no confirmed change in these runs.',
            })}
          </p>
        </EuiText>
      ) : null}
      {shown.map((group) => (
        <Group key={group.key} experiment={experiment} group={group} onShow={onShow} />
      ))}
      {groups.length > shown.length ? (
        <EuiButtonEmpty size="s" iconType="chevronSingleDown" onClick={() => setAll(true)} flush="left">
          {i18n.translate('dyno.history.changes.all', {
            defaultMessage: 'Show {count, plural, one {one earlier run} other {# earlier runs}}',
            values: { count: groups.length - shown.length },
          })}
        </EuiButtonEmpty>
      ) : null}
    </Part>
  );
}

function Group({
  experiment,
  group,
  onShow,
}: {
  experiment: string;
  group: ChangeGroup;
  onShow: (change: HistoryChange) => void;
}): ReactNode {
  const { since, before, confirmed, isNew, changes } = group;
  const [isAll, setAll] = useState(false);
  const shown = isAll ? changes : changes.slice(0, MOST_CHANGES);
  const worse = changes.find(({ kind }) => kind === 'worse');
  const isWorse = worse !== undefined;
  return (
    <>
      <EuiPanel hasBorder hasShadow={false} paddingSize="m" data-test-subj="dynoHistoryChange">
        <EuiFlexGroup gutterSize="s" alignItems="baseline" responsive={false} wrap>
          <EuiFlexItem grow={false}>
            <EuiText size="s">
              <h3>
                <ShortTime iso={since.at} />
              </h3>
            </EuiText>
          </EuiFlexItem>
          {isNew ? (
            <EuiFlexItem grow={false}>
              <EuiBadge color="primary">
                {i18n.translate('dyno.history.changes.new', { defaultMessage: 'New' })}
              </EuiBadge>
            </EuiFlexItem>
          ) : null}
        </EuiFlexGroup>
        <EuiSpacer size="s" />
        <EuiText size="s">
          <ul css={{ '&&': { listStyle: 'none', marginInlineStart: 0 } }}>
            {shown.map((change) => (
              <li key={`${change.metric} ${change.cell}`} css={{ display: 'flex', alignItems: 'baseline' }}>
                <EuiIcon
                  type={change.kind === 'worse' ? 'warning' : 'checkCircle'}
                  color={change.kind === 'worse' ? 'danger' : 'success'}
                  size="s"
                  aria-hidden
                  css={{ flex: 'none', marginInlineEnd: 8 }}
                />
                <EuiLink color="text" onClick={() => onShow(change)}>
                  {sentenceCase(change.found)}
                </EuiLink>
              </li>
            ))}
          </ul>
        </EuiText>
        {changes.length > shown.length ? (
          <EuiButtonEmpty size="xs" flush="left" onClick={() => setAll(true)}>
            {i18n.translate('dyno.history.changes.more', {
              defaultMessage: 'and {count} more series',
              values: { count: changes.length - shown.length },
            })}
          </EuiButtonEmpty>
        ) : null}
        <CauseLines changes={changes} />
        <EuiSpacer size="s" />
        <EuiFlexGroup gutterSize="l" alignItems="baseline" responsive={false} wrap>
          <RunLink
            label={
              isWorse
                ? i18n.translate('dyno.history.changes.bad', { defaultMessage: 'First bad run' })
                : i18n.translate('dyno.history.changes.first', { defaultMessage: 'First run' })
            }
            run={since}
          />
          {before === null ? null : (
            <RunLink
              label={
                isWorse
                  ? i18n.translate('dyno.history.changes.good', { defaultMessage: 'Last good run' })
                  : i18n.translate('dyno.history.changes.before', { defaultMessage: 'Run before' })
              }
              run={before}
            />
          )}
          {confirmed.map((run) => (
            <RunLink
              key={run.run}
              label={i18n.translate('dyno.history.changes.confirmed', { defaultMessage: 'Confirmed by' })}
              run={run}
            />
          ))}
          {before === null ? null : (
            <EuiFlexItem grow={false}>
              <EuiText size="xs">
                <AppLink to={`/compare?runs=${[before.run, since.run].map(encodeURIComponent).join(',')}`}>
                  {i18n.translate('dyno.history.changes.compare', { defaultMessage: 'Compare the two runs' })}
                </AppLink>
              </EuiText>
            </EuiFlexItem>
          )}
          {worse === undefined || before === null ? null : (
            <EuiFlexItem grow={false}>
              <EuiText size="xs">
                <ConfirmButton experiment={experiment} change={worse} />
              </EuiText>
            </EuiFlexItem>
          )}
        </EuiFlexGroup>
      </EuiPanel>
      <EuiSpacer size="m" />
    </>
  );
}

/**
 * Lists what else was different in the run in which metrics changed, such as the version or a setting. Such a difference may be the cause
 * of the change.
 */
function CauseLines({ changes }: { changes: readonly HistoryChange[] }): ReactNode {
  const lines = causeOf(changes);
  if (lines.length === 0) return null;
  return (
    <EuiText size="s" color="subdued" css={{ marginBlockStart: 8 }}>
      {lines.map(({ text, cells }) => (
        <p key={text} css={{ '&&': { marginBlockEnd: 4 } }}>
          {cells.length === 0 ? text : `${listed(cells)}: ${text}`}
        </p>
      ))}
    </EuiText>
  );
}

function RunLink({ label, run }: { label: string; run: ListedRun }): ReactNode {
  return (
    <EuiFlexItem grow={false}>
      <EuiText size="xs">
        {label}:{' '}
        <AppLink to={`/runs/${encodeURIComponent(run.run)}/result`}>
          <ShortTime iso={run.at} />
        </AppLink>
      </EuiText>
    </EuiFlexItem>
  );
}
