/** What can be done with an experiment from the list. */
import type { Experiment, ExperimentSummary } from '../../../common/api/experiments';
import { useApiChange } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { downloadYaml } from '../../ui/download';
import { useToasts } from '../../ui/toasts';
import { useRunning, type Running } from './use-running';

export interface ExperimentActions extends Omit<Running, 'run'> {
  run: (experiment: ExperimentSummary) => Promise<void>;
  exportYaml: (experiment: ExperimentSummary) => Promise<void>;
  /** Keeps a text and runs it. */
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
