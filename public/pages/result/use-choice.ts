/** The user's selections on the result page. The URL contains them. */
import { useCallback, useMemo } from 'react';
import {
  firstMetric,
  firstTask,
  isMetric,
  type MetricName,
} from '../../../common/report/chart/interval-series';
import type { Report } from '../../../common/report/model/report';
import { useQueryState } from '../../ui/query-state';
import { factorView, parseFixed, type FactorChoice, type FactorView } from './factor-view';

/**
 * Returns the task that all sections of the page show, and a function that selects another task. By default, it is the task of the first
 * claim.
 */
export function useTask(report: Report): [string, (task: string) => void] {
  const first = firstTask(report);
  const [wanted, set] = useQueryState('task', first);
  return [report.tasks.includes(wanted) ? wanted : first, set];
}

/**
 * Returns the metric that is shown for `task`, and a function that selects another metric. By default, it is the metric of the first claim.
 */
export function useMetric(report: Report, task: string): [MetricName, (metric: string) => void] {
  const first = firstMetric(report, task);
  const [wanted, set] = useQueryState('metric', first);
  return [isMetric(report, task, wanted) ? wanted : first, set];
}

/** Value in the URL that means that no second factor is shown. An empty value means the default factor. */
const NONE = 'none';

export function useFactorView(report: Report): {
  view: FactorView;
  set: (choice: Partial<FactorChoice>) => void;
} {
  const [x, setX] = useQueryState('x');
  const [by, setBy] = useQueryState('by');
  const [fixed, setFixed] = useQueryState('at');
  const view = useMemo(
    () =>
      factorView(report, {
        ...(x === '' ? {} : { x }),
        ...(by === '' ? {} : { by: by === NONE ? '' : by }),
        fixed: parseFixed(fixed),
      }),
    [report, x, by, fixed],
  );
  const set = useCallback(
    (choice: Partial<FactorChoice>) => {
      if (choice.x !== undefined) setX(choice.x);
      if (choice.by !== undefined) setBy(choice.by === '' ? NONE : choice.by);
      if (choice.fixed !== undefined) setFixed(JSON.stringify(choice.fixed));
    },
    [setX, setBy, setFixed],
  );
  return { view, set };
}
