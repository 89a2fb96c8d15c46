/** Creates an experiment from existing searches. The user selects a dashboard or a saved search of Kibana from a list, or enters its id. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiCallOut,
  EuiComboBox,
  EuiFieldText,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiSelect,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { SavedPanel, SavedSearches, SavedType } from '../../../common/api/saved-searches';
import { messageOf } from '../../../common/problem';
import { experimentOf, type BuiltSearch, type Carried } from '../../../common/saved-searches/experiment';
import type { EsqlPanel, LeftOut } from '../../../common/saved-searches/panels';
import { useApi } from '../../api/queries';
import { useApp } from '../../app/context';
import type { AppHost } from '../../app/host';
import { i18n } from '../../i18n';
import { Dialog } from '../../ui/dialog';
import { ProblemList } from '../../ui/problems';

/** Time range of saved searches, and of dashboards that were saved without a time range. */
const USUAL_WINDOW = { from: 'now-15m', to: 'now' };

const isLeftOut = (panel: SavedPanel): panel is LeftOut => panel.kind === 'left-out';

type Searches = NonNullable<AppHost['searches']>;

/** Builds the bodies of the searches with Kibana's code. A search that cannot be built is listed in `leftOut` with the reason. */
async function build(
  { panels, around }: SavedSearches,
  type: SavedType,
  searches: Searches,
): Promise<Pick<Carried, 'panels' | 'leftOut' | 'around'>> {
  const built: (BuiltSearch | EsqlPanel)[] = [];
  const leftOut = panels.filter(isLeftOut);
  for (const panel of panels) {
    if (panel.kind === 'esql') built.push(panel);
    if (panel.kind !== 'search') continue;
    const { kind, title, fields, index, timeField, sort, sampleSize, window } = panel;
    try {
      const given = { fields, sort, sampleSize, around: type === 'dashboard' ? around : null };
      built.push({ kind, title, index, timeField, window, body: await searches.build(given) });
    } catch (error) {
      leftOut.push({
        kind: 'left-out',
        title,
        reason: `Kibana did not build its search: ${messageOf(error)}`,
      });
    }
  }
  return { panels: built, leftOut, ...(await builtAround(around, built, searches, leftOut)) };
}

/**
 * Returns the query and filters of the dashboard as one filter. Empty if the dashboard has no panel with an ES|QL query, or neither query
 * nor filters.
 */
async function builtAround(
  around: SavedSearches['around'],
  built: readonly { kind: string }[],
  searches: Searches,
  leftOut: LeftOut[],
): Promise<Pick<Carried, 'around'>> {
  if (!built.some(({ kind }) => kind === 'esql')) return {};
  try {
    const query = await searches.buildAround(around);
    return query === undefined ? {} : { around: query };
  } catch (error) {
    const reason = `Kibana did not build them for queries of ES|QL: ${messageOf(error)}`;
    leftOut.push({ kind: 'left-out', title: 'query and filters of the dashboard', reason });
    return {};
  }
}

export function SavedSearchDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { host } = useApp();
  const [type, setType] = useState<SavedType>('dashboard');
  const [id, setId] = useState('');
  const listed = useApi('listSavedSearches', {});
  const ofType = (listed.data?.objects ?? []).filter((object) => object.type === type);
  const chosen = ofType.find((object) => object.id === id);
  const asked = useApi('getSavedSearches', { params: { type, id } }, { enabled: id !== '' });
  const error = asked.error ?? listed.error;
  return (
    <Dialog
      onClose={onClose}
      maxWidth={720}
      title={i18n.translate('dyno.savedSearch.title', {
        defaultMessage: 'New experiment from a saved search or dashboard',
      })}
    >
      <EuiFlexGroup gutterSize="s">
        <EuiFlexItem grow={1}>
          <EuiFormRow label={i18n.translate('dyno.savedSearch.kind', { defaultMessage: 'From' })}>
            <EuiSelect
              value={type}
              onChange={({ target }) => {
                setType(target.value as SavedType);
                setId('');
              }}
              options={[
                {
                  value: 'dashboard',
                  text: i18n.translate('dyno.savedSearch.dashboard', { defaultMessage: 'Dashboard' }),
                },
                {
                  value: 'search',
                  text: i18n.translate('dyno.savedSearch.search', {
                    defaultMessage: 'Saved search of Discover',
                  }),
                },
              ]}
            />
          </EuiFormRow>
        </EuiFlexItem>
        <EuiFlexItem grow={2}>
          <EuiFormRow
            fullWidth
            label={i18n.translate('dyno.savedSearch.which', { defaultMessage: 'Title or id' })}
          >
            <EuiComboBox
              fullWidth
              singleSelection={{ asPlainText: true }}
              isLoading={listed.isLoading}
              aria-label={i18n.translate('dyno.savedSearch.which', { defaultMessage: 'Title or id' })}
              options={ofType.map((object) => ({ label: object.title, key: object.id, value: object.id }))}
              selectedOptions={id === '' ? [] : [{ label: chosen?.title ?? id, key: id, value: id }]}
              onChange={([option]) => setId(option?.value ?? '')}
              onCreateOption={(typed) => setId(typed.trim())}
            />
          </EuiFormRow>
        </EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="m" />
      {error ? (
        <EuiCallOut
          announceOnMount
          color="danger"
          iconType="error"
          title={i18n.translate('dyno.savedSearch.unread', { defaultMessage: 'It could not be read' })}
        >
          <ProblemList problems={error.problems} />
        </EuiCallOut>
      ) : null}
      {id !== '' && asked.data ? (
        <Found key={`${type} ${id}`} type={type} found={asked.data} host={host} onClose={onClose} />
      ) : null}
    </Dialog>
  );
}

interface FoundProps {
  type: SavedType;
  found: SavedSearches;
  host: AppHost;
  onClose: () => void;
}

function Found({ type, found, host, onClose }: FoundProps): ReactNode {
  const [window, setWindow] = useState(found.window ?? USUAL_WINDOW);
  const [failure, setFailure] = useState<LeftOut[] | null>(null);
  const leftOut = failure ?? found.panels.filter(isLeftOut);
  const count = found.panels.length - leftOut.length;
  const create = async (): Promise<void> => {
    const made = await build(found, type, host.searches!);
    if (made.panels.length === 0) {
      setFailure([...made.leftOut]);
      return;
    }
    const { title } = found;
    const text = experimentOf({ title, window, ...made });
    onClose();
    host.history.push(`/experiments/new?import=${encodeURIComponent(title)}`, { text });
  };
  return (
    <>
      <EuiFlexGroup gutterSize="s">
        <EuiFlexItem>
          <EuiFormRow
            label={i18n.translate('dyno.savedSearch.from', { defaultMessage: 'Time from' })}
            helpText={i18n.translate('dyno.savedSearch.window', {
              defaultMessage: 'Relative to the time of each request, such as now-15m',
            })}
          >
            <EuiFieldText
              value={window.from}
              onChange={({ target }) => setWindow({ ...window, from: target.value })}
            />
          </EuiFormRow>
        </EuiFlexItem>
        <EuiFlexItem>
          <EuiFormRow label={i18n.translate('dyno.savedSearch.to', { defaultMessage: 'Time to' })}>
            <EuiFieldText
              value={window.to}
              onChange={({ target }) => setWindow({ ...window, to: target.value })}
            />
          </EuiFormRow>
        </EuiFlexItem>
      </EuiFlexGroup>
      <EuiSpacer size="m" />
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.savedSearch.found', {
            defaultMessage:
              '{count, plural, =0 {No search can be converted.} one {# search becomes a request.} other {# searches become requests.}} The requests search the existing data and change nothing.',
            values: { count },
          })}
        </p>
      </EuiText>
      {leftOut.length === 0 ? null : (
        <>
          <EuiSpacer size="s" />
          <EuiCallOut
            announceOnMount={false}
            size="s"
            color="warning"
            iconType="warning"
            title={i18n.translate('dyno.savedSearch.leftOut', { defaultMessage: 'Not carried over' })}
          >
            <ul>
              {leftOut.map(({ title, reason }, at) => (
                <li key={at}>{`${title}: ${reason}`}</li>
              ))}
            </ul>
          </EuiCallOut>
        </>
      )}
      <EuiSpacer size="m" />
      <EuiFlexGroup justifyContent="flexEnd" responsive={false} gutterSize="s">
        <EuiFlexItem grow={false}>
          <EuiButtonEmpty onClick={onClose}>
            {i18n.translate('dyno.savedSearch.cancel', { defaultMessage: 'Cancel' })}
          </EuiButtonEmpty>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButton fill isDisabled={count === 0} onClick={() => void create()}>
            {i18n.translate('dyno.savedSearch.create', { defaultMessage: 'Create experiment' })}
          </EuiButton>
        </EuiFlexItem>
      </EuiFlexGroup>
    </>
  );
}
