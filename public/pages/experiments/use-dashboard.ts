/** From an experiment to Kibana's dashboard of all its runs. */
import type { ExperimentSummary } from '../../../common/api/experiments';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { useToasts } from '../../ui/toasts';

/** As many as the route tells at once. */
const MOST_RUNS = 1000;

export function useExperimentDashboard(): (experiment: ExperimentSummary) => Promise<void> {
  const { client, host } = useApp();
  const toasts = useToasts();
  return async ({ id }) => {
    try {
      const [{ dashboards }, { runs }] = await Promise.all([
        client.call('listDashboards', {}),
        client.call('listRuns', { query: { experiment: id, limit: MOST_RUNS } }),
      ]);
      const overview = dashboards.find(({ kind }) => kind === 'overview');
      if (overview === undefined || overview.state === 'missing') {
        host.history.push('/dashboards');
        return;
      }
      const ends = runs.map(({ ended }) => ended ?? 'now').sort();
      host.dashboards?.open(overview.id, {
        field: 'experiment.id',
        value: id,
        from: runs.map(({ started }) => started).sort()[0] ?? 'now-24h',
        // Letters come after digits: a run that goes on is the last.
        to: ends.at(-1) ?? 'now',
      });
    } catch (error) {
      toasts.failed(
        i18n.translate('dyno.experiments.dashboard.failed', {
          defaultMessage: 'The dashboard could not be opened',
        }),
        error,
      );
    }
  };
}
