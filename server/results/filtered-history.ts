/** The part of an experiment's history that somebody named: a command's options, or the parameters of a rule. */
import type { RegressionParams } from '../../common/alerting/regressions/params';
import { listed } from '../../common/analysis/wording';
import type { Annotations } from '../../common/history/annotations';
import { buildHistory, type History, type HistoryFilter } from '../../common/history/history';
import { inputError } from '../../common/problem';
import type { NamedExperiment } from './completed-runs';
import type { Histories } from './histories';

/** Where metrics and cells were named, for errors. */
interface Naming {
  code: string;
  path: string;
}

/** Names that an error shows of each kind. */
const MOST_NAMED = 20;

const named = (names: readonly string[]): string => listed([...new Set(names)], MOST_NAMED);

/** Rejects as the results do, and with a DynoError (input) where there are runs and none tells what the filter names. */
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
    allowed: `${named(series.map(({ metric }) => metric))}, and figures of the cluster; cells ${named(series.map(({ cell }) => cell))}`,
  });
}

/**
 * For a rule. Without runs where no run of the experiment has completed. Rejects as {@link readFiltered} does: a rule on what no
 * run tells would be silent for ever.
 */
export async function readWatched(
  histories: Histories,
  { experiment: id, metrics, cells }: Pick<RegressionParams, 'experiment' | 'metrics' | 'cells'>,
): Promise<History> {
  const found = (await histories.find(id)).find((one) => one.id === id);
  if (found === undefined) return buildHistory({ experiment: { id, name: id }, runs: [] });
  return readFiltered(histories, found, { metrics, cells }, { code: 'rule.series', path: 'metrics, cells' });
}
