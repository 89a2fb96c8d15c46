/**
 * Reads a selection of a history (all completed runs of an experiment). A user makes the selection with options of a command, or with
 * parameters of an alert rule.
 */
import type { RegressionParams } from '../../common/alerting/regressions/params';
import { listed } from '../../common/analysis/wording';
import type { Annotations } from '../../common/history/annotations';
import { buildHistory, type History, type HistoryFilter } from '../../common/history/history';
import { inputError } from '../../common/problem';
import type { NamedExperiment } from './completed-runs';
import type { Histories } from './histories';

/** Error code, and name of the option or parameter, for errors about the selected metrics and combinations of factor levels. */
interface Naming {
  code: string;
  path: string;
}

/** Maximum number of metrics, and of combinations of factor levels, that an error lists. */
const MOST_NAMED = 20;

const named = (names: readonly string[]): string => listed([...new Set(names)], MOST_NAMED);

/**
 * Reads a history with only the series that the filter selects. Rejects with the errors of the results reader. Also rejects with a
 * DynoError (input) if the experiment has runs but no series that matches the filter.
 */
export async function readFiltered(
  histories: Histories,
  experiment: NamedExperiment,
  filter: HistoryFilter,
  { code, path }: Naming,
  annotations?: Annotations,
): Promise<History> {
  const history = await histories.history(experiment, filter, annotations);
  const wanted = [...(filter.metrics ?? []), ...(filter.cells ?? [])];
  if (history.series.length > 0 || history.nights.length === 0 || wanted.length === 0) return history;
  const { series } = await histories.history(experiment);
  throw inputError(code, path, `no run of ${experiment.name} has this metric in this cell`, {
    found: named(wanted),
    allowed: `${named(series.map(({ metric }) => metric))}, and metrics of the cluster; cells ${named(series.map(({ cell }) => cell))}`,
  });
}

/**
 * Reads the history (all completed runs) of an experiment for an alert rule. Returns an empty history if no run has completed. If runs
 * exist but no series matches the rule, rejects with an error, because the rule would never alert.
 */
export async function readWatched(
  histories: Histories,
  { experiment: id, metrics, cells }: Pick<RegressionParams, 'experiment' | 'metrics' | 'cells'>,
): Promise<History> {
  const found = (await histories.find(id)).find((one) => one.id === id);
  if (found === undefined) return buildHistory({ experiment: { id, name: id }, runs: [] });
  return readFiltered(histories, found, { metrics, cells }, { code: 'rule.series', path: 'metrics, cells' });
}
