/** The part of an experiment's history that a rule watches. */
import type { RegressionParams } from '../../common/alerting/regressions/params';
import { buildHistory, type History } from '../../common/history/history';
import { inputError } from '../../common/problem';
import type { Nights } from './nights';

/**
 * Without nights where no run of the experiment has completed. Rejects as the results do, and with a DynoError (input) where no night
 * tells what the rule names: it would be silent for ever.
 */
export async function readWatched(
  nights: Nights,
  { experiment: id, metrics, cells }: Pick<RegressionParams, 'experiment' | 'metrics' | 'cells'>,
): Promise<History> {
  const found = (await nights.find(id)).find((one) => one.id === id);
  if (found === undefined) return buildHistory({ experiment: { id, name: id }, nights: [] });
  const history = await nights.history(found, { metrics, cells });
  const isNamed = metrics.length > 0 || cells.length > 0;
  if (history.series.length === 0 && history.nights.length > 0 && isNamed)
    throw inputError(
      'rule.series',
      'metrics, cells',
      `no night of ${found.name} tells this metric in this cell`,
      {
        found: [...metrics, ...cells].join(', '),
        allowed: 'metrics and cells as the history of the experiment names them',
      },
    );
  return history;
}
