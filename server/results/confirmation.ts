/**
 * Creates an experiment that tests a change which Dyno has detected between the runs of an experiment, such as a regression. It shows
 * whether the change is real, or was caused by conditions that differ from day to day.
 */
import { listed } from '../../common/analysis/wording';
import {
  changeToConfirm,
  confirmationOf,
  type Confirmation,
  type ConfirmFilter,
} from '../../common/history/confirm';
import type { HistoryChange } from '../../common/history/history';
import { inputError } from '../../common/problem';
import type { NamedExperiment } from './completed-runs';
import type { Histories } from './histories';
import type { ResultsReader } from './reader';

interface Parts {
  histories: Pick<Histories, 'history'>;
  reader: Pick<ResultsReader, 'getRuns'>;
}

/** Returns the detected change that the filter selects. Rejects with a DynoError (input) `history.no-change` if no such change exists. */
export async function readChange(
  { histories }: Pick<Parts, 'histories'>,
  experiment: NamedExperiment,
  filter: ConfirmFilter,
): Promise<HistoryChange & { before: NonNullable<HistoryChange['before']> }> {
  const { metric, cell, since: from } = filter;
  const { changes } = await histories.history(experiment, metric === undefined ? {} : { metrics: [metric] });
  const change = changeToConfirm(changes, filter);
  if (change?.before) return { ...change, before: change.before };
  // The error lists the changes in other metrics, because the user can select one of those instead.
  const all =
    metric === undefined || changes.length > 0 ? changes : (await histories.history(experiment)).changes;
  const known = all.map(({ metric: of, label, since }) => `${of} with ${label} since ${since.run}`);
  throw inputError('history.no-change', 'experiment', 'its history has no such change', {
    found: [experiment.name, metric, cell, from].filter((one) => one !== undefined).join(', '),
    allowed:
      listed(known, MOST_LISTED, '; ') || 'no change is confirmed yet; `dyno history` shows the series',
  });
}

const MOST_LISTED = 10;

/**
 * Returns the experiment that tests a detected change. Rejects with the errors of {@link readChange}. Also rejects if the run before the
 * change, or the run with the change, was deleted.
 */
export async function readConfirmation(
  parts: Parts,
  experiment: NamedExperiment,
  filter: ConfirmFilter,
  startsClusters: (target: string) => boolean,
): Promise<Confirmation> {
  const change = await readChange(parts, experiment, filter);
  const ids = [change.before.run, change.since.run];
  const runs = new Map((await parts.reader.getRuns(ids)).map((run) => [run.run.id, run]));
  const [good, bad] = ids.map((id) => runs.get(id));
  if (good === undefined || bad === undefined)
    throw inputError('history.no-run', 'experiment', 'a run of the change was deleted', {
      found: ids.join(', '),
      allowed: 'a change whose two runs still exist; choose another one with metric, cell and since',
    });
  return confirmationOf({ change, good, bad, startsClusters: startsClusters(bad.definition.target) });
}
