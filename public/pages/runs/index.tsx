/** The page *Runs*. It lists all runs, the newest first. Users can filter, follow, compare and delete runs. */
import { EuiEmptyPrompt, EuiSpacer } from '@elastic/eui';
import { type ReactNode, useMemo, useState } from 'react';
import type { RunSummary } from '../../../common/api/runs';
import { INACTIVE_STATES } from '../../../common/experiment/run';
import { isStarting, useApi } from '../../api/queries';
import { usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { ExampleLine } from '../../ui/example';
import { HistoryButton } from '../../ui/history-button';
import { AppLink } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { Page } from '../../ui/page';
import { useRulesButton } from '../../ui/rules-button';
import { useQueryState } from '../../ui/query-state';
import { RunFilters } from './filters';
import { ImportRunsButton } from './import-dialog';
import { Selected } from './selected';
import { STATES } from './states';
import { RunTable } from './table';
import { UndeliveredChanges } from './undelivered-changes';

/** Time between two refreshes of the list while a run is running or waiting, in ms. */
const EVERY_BUSY_MS = 3000;
/** Time between two refreshes of the list while no run is running or waiting, in ms. */
const EVERY_MS = 15_000;
const MOST = 500;

export default function RunsPage(): ReactNode {
  const [experiment, setExperiment] = useQueryState('experiment');
  const [givenState, setState] = useQueryState('state');
  const state = STATES.find((known) => known === givenState);
  const [busy, setBusy] = useState(true);
  const query = useApi(
    'listRuns',
    { query: { limit: MOST, ...(experiment === '' ? {} : { experiment }), ...(state ? { state } : {}) } },
    { every: busy ? EVERY_BUSY_MS : EVERY_MS, keep: true },
  );
  const isActive = query.data?.runs.some((run) => !INACTIVE_STATES.includes(run.state)) ?? true;
  if (isActive !== busy) setBusy(isActive);
  const [chosen, setChosen] = useState<readonly RunSummary[]>([]);
  // Runs that were deleted or filtered out are not selected any more.
  const selected = useMemo(() => {
    const ids = new Set(chosen.map(({ id }) => id));
    return (query.data?.runs ?? []).filter(({ id }) => ids.has(id));
  }, [chosen, query.data]);
  const filtered = experiment !== '' || state !== undefined;
  const mayImport = usePrivilege('manage');
  const rules = useRulesButton(experiment === '' ? {} : { experiment });
  return (
    <Page
      title={i18n.translate('dyno.runs.title', { defaultMessage: 'Runs' })}
      description={i18n.translate('dyno.runs.description', {
        defaultMessage:
          'Every run of every experiment, current and past. Select two or more to compare them.',
      })}
      actions={[
        ...(experiment === '' ? [] : [<HistoryButton key="history" experiment={experiment} />]),
        ...rules,
        ...(mayImport ? [<ImportRunsButton key="import" />] : []),
      ]}
    >
      <UndeliveredChanges />
      <RunFilters
        experiment={experiment}
        onExperiment={setExperiment}
        state={state ?? ''}
        onState={setState}
        right={<Selected runs={selected} />}
      />
      <Loadable query={query} skeleton={isStarting(query.error) ? <></> : undefined}>
        {({ runs }) =>
          runs.length === 0 ? (
            <None filtered={filtered} />
          ) : (
            <RunTable runs={runs} selected={selected} onSelect={setChosen} most={MOST} />
          )
        }
      </Loadable>
      <EuiSpacer size="m" />
      <ExampleLine />
    </Page>
  );
}

function None({ filtered }: { filtered: boolean }): ReactNode {
  return (
    <EuiEmptyPrompt
      iconType="play"
      title={
        <h2>
          {filtered
            ? i18n.translate('dyno.runs.noneFiltered', { defaultMessage: 'No run matches' })
            : i18n.translate('dyno.runs.none', { defaultMessage: 'Nothing has run yet' })}
        </h2>
      }
      body={
        filtered ? (
          <AppLink to="/runs">{i18n.translate('dyno.runs.all', { defaultMessage: 'Show all runs' })}</AppLink>
        ) : (
          <AppLink to="/experiments">
            {i18n.translate('dyno.runs.begin', { defaultMessage: 'Choose an experiment and run it' })}
          </AppLink>
        )
      }
    />
  );
}
