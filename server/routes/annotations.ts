/** Routes of the annotations of an experiment's history: its notes and its baseline. */
import type { ANNOTATION_ROUTES, NoteAbout } from '../../common/api/annotations';
import { resolveBaseline, traitsOf, type BaselineOf } from '../../common/history/annotations';
import type { HistoryRunFacts } from '../../common/history/history-run';
import { inputError } from '../../common/problem';
import type { NamedExperiment } from '../results/completed-runs';
import type { HandlersOf } from './handler';
import type { NotePlace, Services } from './services';
import { parseTime } from '../../common/units/time';

/**
 * Returns an experiment that has runs or is in the store, with its name. The command line runs experiments without storing them. Rejects
 * with `experiment.not-found`.
 */
export async function namedExperiment(
  { histories, experiments }: Pick<Services, 'histories' | 'experiments'>,
  id: string,
): Promise<NamedExperiment> {
  const [found] = (await histories.find(id)).filter((one) => one.id === id);
  return found ?? { id, name: (await experiments.get(id)).definition.name };
}

/**
 * Returns the subject of a note: a time, or a run with its start time. Rejects with `note.run` if the run does not exist or belongs to
 * another experiment.
 */
export async function placeOf(
  { results }: Pick<Services, 'results'>,
  experiment: string,
  about: NoteAbout,
): Promise<NotePlace> {
  if ('at' in about) return { run: null, at: new Date(parseTime(about.at)).toISOString() };
  const run = await results.getRun(about.run);
  if (run?.experiment.id !== experiment)
    throw inputError('note.run', 'about.run', 'the experiment has no such run', {
      found: about.run,
      allowed: 'one of its runs, or a time as about.at',
    });
  return { run: run.run.id, at: run.run.started };
}

/**
 * Throws `baseline.none` if the baseline selects none of the runs in the history. `all`: the runs of the history. `named`: keys of the
 * request that the error names.
 */
export function checkBaseline(
  of: BaselineOf,
  all: readonly HistoryRunFacts[],
  named: Readonly<Record<'run' | 'value' | 'since', string>> = {
    run: 'of.run',
    value: 'of.value',
    since: 'of.since',
  },
): void {
  const { run } = resolveBaseline({ ...of, author: '', updated: '' }, all);
  if (run !== null) return;
  if ('run' in of)
    throw inputError(
      'baseline.none',
      named.run,
      'the history of the experiment does not have this run: it has not completed its plan, or belongs to another experiment',
      { found: of.run },
    );
  const newest = all.findLast(({ place }) => place[of.trait] === of.value);
  if (newest !== undefined)
    throw inputError('baseline.none', named.since, `no run since then has ${of.trait} ${of.value}`, {
      found: of.since ?? undefined,
      allowed: `${newest.at.slice(0, 10)}, its newest run, or before`,
    });
  const known = traitsOf(all).filter(({ trait }) => trait === of.trait);
  throw inputError('baseline.none', named.value, 'no run of the experiment has this value', {
    found: `${of.trait} ${of.value}`,
    allowed: known.map(({ value }) => value).join(', ') || traitNames(all),
  });
}

const traitNames = (runs: readonly HistoryRunFacts[]): string =>
  [...new Set(traitsOf(runs).map(({ trait }) => trait))].join(', ');

export function annotationHandlers(services: Services): HandlersOf<typeof ANNOTATION_ROUTES> {
  const { annotations } = services;

  return {
    async addNote({ params: { id }, body: { text, about, author } }) {
      await namedExperiment(services, id);
      return annotations.addNote(id, { ...(await placeOf(services, id, about)), text, author });
    },

    async saveNote({ params: { id, note }, body: { text, about, version } }) {
      const place = about === undefined ? undefined : await placeOf(services, id, about);
      return annotations.saveNote(id, note, { about: place, text }, version);
    },

    async deleteNote({ params: { id, note } }) {
      await annotations.deleteNote(id, note);
      return {};
    },

    async getBaseline({ params: { id } }) {
      const experiment = await namedExperiment(services, id);
      const [{ baseline }, runs] = await Promise.all([
        annotations.of(id),
        services.histories.runs(experiment),
      ]);
      return { baseline: baseline && resolveBaseline(baseline, runs), traits: traitsOf(runs) };
    },

    async setBaseline({ params: { id }, body: { of, author } }) {
      const experiment = await namedExperiment(services, id);
      const runs = await services.histories.runs(experiment);
      checkBaseline(of, runs);
      return resolveBaseline(await annotations.setBaseline(id, of, author), runs);
    },

    async removeBaseline({ params: { id } }) {
      return { removed: await annotations.removeBaseline(id) };
    },
  };
}
