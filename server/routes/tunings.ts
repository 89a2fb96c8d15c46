/** Routes of tunings; a host that carries none says so. */
import type { TUNING_ROUTES, TuningSummary } from '../../common/api/tunings';
import type { Tuning } from '../../common/advice/tuning';
import { readDefinitionText } from '../../common/experiment/read';
import { inputError } from '../../common/problem';
import type { HandlersOf } from './handler';
import type { Services, TuningService } from './services';

export function tuningHandlers({ tunings }: Pick<Services, 'tunings'>): HandlersOf<typeof TUNING_ROUTES> {
  const here = (): TuningService => {
    if (tunings) return tunings;
    throw inputError(
      'tunings.none',
      '',
      'this host carries no tunings: use dyno start, or dyno tune on the command line',
    );
  };
  return {
    draftTuning: async ({ body }) => here().draft(body),
    planTuning: async ({ body: { text, options } }) =>
      here().plan(readDefinitionText(text, 'definition'), options),
    startTuning: async ({ body: { text, options } }) =>
      here().start(readDefinitionText(text, 'definition'), options),
    listTunings: async () => ({ tunings: tunings ? (await tunings.list()).map(summaryOf) : [] }),
    getTuning: async ({ params: { id } }) => here().get(id),
    deleteTuning: async ({ params: { id }, query: { runs } }) => here().delete(id, runs),
    cancelTuning: async ({ params: { id } }) => here().cancel(id),
  };
}

const summaryOf = ({ id, name, state, reason, created, request, outcome }: Tuning): TuningSummary => ({
  id,
  name,
  state,
  created,
  target: request.definition.target,
  recommended: outcome?.recommended ?? false,
  sentence: outcome?.sentence ?? reason,
});
