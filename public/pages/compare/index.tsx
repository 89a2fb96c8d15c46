/** The page *Compare*: first how the set-ups of the runs differ, then the results. It shows verdicts only if the runs are comparable. */
import { EuiCallOut, EuiEmptyPrompt, EuiSkeletonRectangle, EuiSpacer, EuiText } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { RunComparison } from '../../../common/report/model/comparison';
import { comparisonTables } from '../../../common/report/tables/comparison';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { Page, Part } from '../../ui/page';
import { useQueryState } from '../../ui/query-state';
import { ReportTable } from '../../ui/report-table';
import { CopyLink } from '../result/exports';
import { BaselineOffer } from './baseline-offer';
import { formatChosen, parseChosen, withBaseline, without } from './chosen';
import { RunPicker } from './run-picker';
import { RunsTable } from './runs-table';
import { LatencyPart } from './latency-part';
import { changedRows, clusterSideBySide, MANY_ROWS, onlyChanges, tasksOf, unfairRuns } from './side-by-side';
import { SummaryPart } from './summary-part';
import { TaskPart } from './task-part';

/** Explains that the runs have no combination of factor levels in common, so that nothing can be compared. */
function NothingInCommon({ comparison: { rows } }: { comparison: RunComparison }): ReactNode {
  if (rows.length === 0 || rows.some(({ runs }) => runs.filter((run) => run !== null).length > 1))
    return null;
  return (
    <>
      <EuiCallOut
        announceOnMount={false}
        color="warning"
        iconType="warning"
        title={i18n.translate('dyno.compare.nothingInCommon', {
          defaultMessage: 'These runs have no cell in common, so they cannot be compared',
        })}
      />
      <EuiSpacer size="l" />
    </>
  );
}

function Unfair({ comparison }: { comparison: RunComparison }): ReactNode {
  const unfair = unfairRuns(comparison);
  if (unfair.length === 0) return null;
  return (
    <>
      <EuiCallOut
        announceOnMount={false}
        color="warning"
        iconType="warning"
        title={i18n.translate('dyno.compare.unfairTitle', {
          defaultMessage:
            'Some of these runs are not comparable, so their metrics are shown without a verdict',
        })}
      >
        <EuiText size="s">
          <ul>
            {unfair.map(({ run, reasons }) => (
              <li key={run}>
                {i18n.translate('dyno.compare.unfairRun', {
                  defaultMessage: '{run} differs from A in: {reasons}',
                  values: { run, reasons },
                })}
              </li>
            ))}
          </ul>
        </EuiText>
      </EuiCallOut>
      <EuiSpacer size="l" />
    </>
  );
}

interface ComparisonPartsProps {
  comparison: RunComparison;
  onBaseline: (id: string) => void;
  onRemove: (id: string) => void;
}

function ComparisonParts({ comparison, onBaseline, onRemove }: ComparisonPartsProps): ReactNode {
  const differing = useMemo(() => comparisonTables(comparison)[1]!, [comparison]);
  const { all } = useMemo(() => changedRows(comparison), [comparison]);
  const [rows, setRows] = useQueryState('rows', all > MANY_ROWS ? 'changes' : 'all');
  const changesOnly = rows === 'changes';
  const ofCluster = useMemo(
    () => clusterSideBySide(changesOnly ? onlyChanges(comparison) : comparison),
    [comparison, changesOnly],
  );
  const tasks = tasksOf(comparison);
  return (
    <>
      <SummaryPart
        comparison={comparison}
        changesOnly={changesOnly}
        onChangesOnly={(only) => setRows(only ? 'changes' : 'all')}
      />
      <Part title={differing.title}>
        <Unfair comparison={comparison} />
        <NothingInCommon comparison={comparison} />
        {differing.rows.length === 0 ? null : <ReportTable table={differing} titled={false} />}
      </Part>
      <Part title={i18n.translate('dyno.compare.runs', { defaultMessage: 'Runs' })}>
        <RunsTable comparison={comparison} onBaseline={onBaseline} onRemove={onRemove} />
      </Part>
      {tasks.length === 0 ? (
        <EuiEmptyPrompt
          iconType="clock"
          title={
            <h2>
              {i18n.translate('dyno.compare.noTrials', {
                defaultMessage: 'No trial of these runs has completed',
              })}
            </h2>
          }
        />
      ) : (
        <>
          {tasks.map((task) => (
            <TaskPart key={task} comparison={comparison} task={task} changesOnly={changesOnly} />
          ))}
          <LatencyPart comparison={comparison} />
        </>
      )}
      {ofCluster === null ? null : (
        <Part title={ofCluster.title}>
          <ReportTable table={ofCluster} titled={false} />
        </Part>
      )}
    </>
  );
}

function TooFew({ runs }: { runs: readonly string[] }): ReactNode {
  return (
    <EuiEmptyPrompt
      iconType="compare"
      title={
        <h2>
          {runs.length === 0
            ? i18n.translate('dyno.compare.none', { defaultMessage: 'Choose the runs to compare' })
            : i18n.translate('dyno.compare.one', {
                defaultMessage: 'Choose another run to compare with this one',
              })}
        </h2>
      }
      body={
        <p>
          {i18n.translate('dyno.compare.hint', {
            defaultMessage:
              'The first run is the baseline. The differences between the set-ups of the runs come first, because the meaning of the metrics depends on them.',
          })}
        </p>
      }
    />
  );
}

export default function ComparePage(): ReactNode {
  const [text, setText] = useQueryState('runs');
  const { runs, twice } = useMemo(() => parseChosen(text), [text]);
  const set = (next: readonly string[]): void => setText(formatChosen(next));
  const enough = runs.length >= 2;
  const query = useApi('compareRuns', { body: { runs } }, { enabled: enough, keep: true });
  return (
    <Page
      title={i18n.translate('dyno.compare.title', { defaultMessage: 'Compare' })}
      description={i18n.translate('dyno.compare.about', {
        defaultMessage: 'Compares runs, even of different targets.',
      })}
      actions={[<CopyLink key="link" />]}
    >
      <RunPicker runs={runs} onChange={set} />
      <BaselineOffer runs={runs} onBaseline={(id) => set([id, ...runs])} />
      {twice.length === 0 ? null : (
        <>
          <EuiSpacer size="m" />
          <EuiCallOut
            announceOnMount={false}
            size="s"
            color="warning"
            iconType="warning"
            title={i18n.translate('dyno.compare.twice', {
              defaultMessage:
                '{runs} was selected more than once and is shown once, because a run cannot be compared with itself',
              values: { runs: twice.join(', ') },
            })}
          />
        </>
      )}
      <EuiSpacer size="l" />
      {enough ? (
        <Loadable query={query} skeleton={<EuiSkeletonRectangle width="100%" height={500} />}>
          {(comparison) => (
            <ComparisonParts
              comparison={comparison}
              onBaseline={(id) => set(withBaseline(runs, id))}
              onRemove={(id) => set(without(runs, id))}
            />
          )}
        </Loadable>
      ) : (
        <TooFew runs={runs} />
      )}
    </Page>
  );
}
