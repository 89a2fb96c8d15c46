/** Routes of tunings. */
import type { TUNING_ROUTES, TuningSummary } from '../../common/api/tunings';
import type { Tuning } from '../../common/tuning/tuning';
import { withoutSecrets } from '../../common/secrets/definition';
import { readDefinitionText } from '../../common/experiment/read';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export const tuningHandlers = ({ tunings }: Pick<Services, 'tunings'>): HandlersOf<typeof TUNING_ROUTES> => ({
  draftTuning: async ({ body }) => tunings.draft(body),
  planTuning: async ({ body: { text, options } }) =>
    tunings.plan(readDefinitionText(text, 'definition'), options),
  startTuning: async ({ body: { text, options } }) =>
    tunings.start(readDefinitionText(text, 'definition'), options),
  listTunings: async () => ({ tunings: (await tunings.list()).map(summaryOf) }),
  getTuning: async ({ params: { id } }) => {
    const tuning = await tunings.get(id);
    return withoutSecrets(tuning, tuning.request.definition);
  },
  deleteTuning: async ({ params: { id }, query: { runs } }) => tunings.delete(id, runs),
  cancelTuning: async ({ params: { id } }) => tunings.cancel(id),
});

const summaryOf = ({ id, name, state, reason, created, request, outcome }: Tuning): TuningSummary => ({
  id,
  name,
  state,
  created,
  target: request.definition.target,
  recommended: outcome?.recommended ?? false,
  sentence: outcome?.sentence ?? reason,
});
