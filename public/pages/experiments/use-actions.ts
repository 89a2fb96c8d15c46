/** What can be done with an experiment from the list. */
import { useState } from 'react';
import type { Experiment, ExperimentSummary } from '../../../common/api/experiments';
import { costOf, type Cost } from '../../../common/experiment/cost';
import { readDefinitionText } from '../../../common/experiment/read';
import { useApi, useApiChange } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { download, fileNameOf } from '../../ui/download';
import { useToasts } from '../../ui/toasts';

/** What takes longer is asked about before it starts, ms. */
const LONG_MS = 2 * 3_600_000;

export interface Asked {
  experiment: ExperimentSummary;
  cost: Cost;
}

export interface ExperimentActions {
  /** A run that waits to be confirmed: it is long, or takes the cluster for an environment. */
  asked: Asked | null;
  run: (experiment: ExperimentSummary) => Promise<void>;
  confirm: () => Promise<void>;
  dismiss: () => void;
  exportYaml: (experiment: ExperimentSummary) => Promise<void>;
  /** Keeps a text and runs it at once. */
  runText: (text: string) => Promise<void>;
  busy: boolean;
}

function costOfText(text: string): Cost | null {
  try {
    return costOf(readDefinitionText(text, 'definition.yml'));
  } catch {
    return null;
  }
}

/** Where the host starts the clusters, they take their time, and only the other environments are waited for. */
function costHere({ clusters, ...cost }: Cost, isStarted: boolean): Cost {
  if (clusters === null || !isStarted) return { ...cost, clusters: null };
  const [first] = cost.environments;
  return { ...cost, clusters, ms: cost.ms + clusters.ms, environments: [first!, ...clusters.waitsFor] };
}

export function useExperimentActions(): ExperimentActions {
  const { client, host } = useApp();
  const toasts = useToasts();
  const create = useApiChange('createExperiment', ['listExperiments']);
  const start = useApiChange('runExperiment', ['listExperiments', 'listRuns']);
  const { data: status } = useApi('getStatus', {});
  const [asked, setAsked] = useState<Asked | null>(null);

  const failed = (error: unknown): void =>
    toasts.failed(
      i18n.translate('dyno.experiments.run.failed', { defaultMessage: 'It was not started' }),
      error,
    );
  const begin = async (id: string): Promise<void> => {
    const { run } = await start.mutateAsync({ params: { id } });
    host.history.push(`/runs/${encodeURIComponent(run)}`);
  };
  const load = (id: string): Promise<Experiment> => client.call('getExperiment', { params: { id } });

  return {
    asked,
    busy: create.isPending || start.isPending,
    async run(experiment) {
      try {
        const written = costOfText((await load(experiment.id)).text);
        const cost = written && costHere(written, experiment.target === status?.startsClustersOf);
        if (cost && (cost.ms >= LONG_MS || cost.environments.length > 1)) setAsked({ experiment, cost });
        else await begin(experiment.id);
      } catch (error) {
        failed(error);
      }
    },
    async confirm() {
      if (!asked) return;
      setAsked(null);
      await begin(asked.experiment.id).catch(failed);
    },
    dismiss: () => setAsked(null),
    async exportYaml({ id, name }) {
      try {
        download(`${fileNameOf(name)}.yml`, (await load(id)).text, 'application/yaml');
      } catch (error) {
        toasts.failed(
          i18n.translate('dyno.experiments.export.failed', { defaultMessage: 'It could not be exported' }),
          error,
        );
      }
    },
    async runText(text) {
      try {
        await begin((await create.mutateAsync({ body: { text } })).id);
      } catch (error) {
        failed(error);
      }
    },
  };
}
