/** Actions for an experiment in the list. */
import type { Experiment, ExperimentSummary } from '../../../common/api/experiments';
import { useApiChange } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { downloadYaml } from '../../ui/download';
import { useToasts } from '../../ui/toasts';
import { type Running, useRunning } from './use-running';

export interface ExperimentActions extends Omit<Running, 'run'> {
  run: (experiment: Pick<ExperimentSummary, 'id'>) => Promise<void>;
  exportYaml: (experiment: ExperimentSummary) => Promise<void>;
  /** Saves a text as an experiment and runs it. */
  runText: (text: string) => Promise<void>;
}

export function useExperimentActions(): ExperimentActions {
  const { client, host } = useApp();
  const toasts = useToasts();
  const create = useApiChange('createExperiment', ['listExperiments']);
  const running = useRunning((run) => host.history.push(`/runs/${encodeURIComponent(run)}`));
  const load = (id: string): Promise<Experiment> => client.call('getExperiment', { params: { id } });

  return {
    ...running,
    busy: create.isPending || running.busy,
    async run({ id }) {
      try {
        await running.run((await load(id)).text, () => id);
      } catch (error) {
        toasts.failed(
          i18n.translate('dyno.experiments.run.failed', { defaultMessage: 'The run was not started' }),
          error,
        );
      }
    },
    async exportYaml({ id, name }) {
      try {
        downloadYaml(name, (await load(id)).text);
      } catch (error) {
        toasts.failed(
          i18n.translate('dyno.experiments.export.failed', {
            defaultMessage: 'The definition could not be exported',
          }),
          error,
        );
      }
    },
    runText: (text) => running.run(text, async () => (await create.mutateAsync({ body: { text } })).id),
  };
}

/** Maximum number of runs that the server returns in one response. */
const MOST_RUNS = 1000;

/** Returns a function that opens Kibana's dashboard with all runs of an experiment. */
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
        // `now` of an active run is sorted last, because letters sort after digits.
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
