/**
 * Starts runs from any page. A run must be confirmed first if it takes long, or if a person has to prepare its environment, such as disks.
 */
import { useState } from 'react';
import { writeStartingEnvironment } from '../../../common/experiment/starting-environment';
import type { Environment } from '../../../common/experiment/environment';
import { useApiChange } from '../../api/queries';
import { i18n } from '../../i18n';
import { useToasts } from '../../ui/toasts';
import { targetOf, whatToAsk, type Asked } from './run-cost';
import { useAskTarget } from './use-known-target';

/** Saves the experiment if necessary, and returns its id. Rejects if saving fails. */
type Keep = () => Promise<string> | string;

export interface Running {
  /** Facts that the user must confirm before the run starts. Null if no run waits for a confirmation. */
  asked: Asked | null;
  run: (text: string, keep: Keep) => Promise<void>;
  confirm: (begins: Environment) => Promise<void>;
  dismiss: () => void;
  busy: boolean;
}

export function useRunning(onStarted: (run: string) => void): Running {
  const toasts = useToasts();
  const start = useApiChange('runExperiment', ['listExperiments', 'listRuns']);
  const askTarget = useAskTarget();
  const [asking, setAsking] = useState(false);
  const [asked, setAsked] = useState<{ what: Asked; keep: Keep } | null>(null);

  const begin = async (keep: Keep, begins: Environment): Promise<void> => {
    try {
      const environment = writeStartingEnvironment(begins);
      const { run } = await start.mutateAsync({ params: { id: await keep() }, query: { environment } });
      onStarted(run);
    } catch (error) {
      toasts.failed(
        i18n.translate('dyno.experiments.run.failed', { defaultMessage: 'The run was not started' }),
        error,
      );
    }
  };

  return {
    asked: asked && asked.what,
    busy: start.isPending || asking,
    async run(text, keep) {
      const target = targetOf(text);
      setAsking(true);
      const what = target === null ? null : whatToAsk(text, await askTarget(target));
      setAsking(false);
      if (what === null) await begin(keep, {});
      else setAsked({ what, keep });
    },
    async confirm(begins) {
      if (!asked) return;
      setAsked(null);
      await begin(asked.keep, begins);
    },
    dismiss: () => setAsked(null),
  };
}
