/**
 * Adds the example run that is part of Dyno to the services of both hosts. All routes can read it like a stored run, even while the results
 * cluster is unavailable. It is read-only.
 */
import { isChosen } from '../../common/report/model/profile';
import { Readable } from 'node:stream';
import { RUN_FILE_ENDING, RUN_FILE_TYPE } from '../../common/api/run-files';
import { EXAMPLE, isExample, type ExampleLabel } from '../../common/example';
import { inputError } from '../../common/problem';
import { exampleRun, type ExampleRun } from '../results/example-run';
import { summaryOf } from './runs';
import type { Services } from './services';

/** Calls `work`. If `id` is the id of the example, does not call it, and rejects with an input error `run.example`. */
async function unlessExample<Answer>(id: string, work: () => Promise<Answer>): Promise<Answer> {
  if (!isExample(id)) return await work();
  throw inputError('run.example', 'id', 'this is the recorded example, which is read-only', {
    found: id,
  });
}

/** Returns the services with the example added. `recorded` reads the example. */
export function withExample(services: Services, recorded: () => Promise<ExampleRun>): Services {
  const { results, history, timeline, runs, runFiles } = services;

  /**
   * Reads data of several runs, such as their documents. `read`: returns the data of stored runs. `own`: returns the data of the example
   * run. This data is appended if `ids` contains the id of the example.
   */
  async function beside<Found>(
    ids: readonly string[],
    read: (others: string[]) => Promise<Found[]>,
    own: (example: ExampleRun) => readonly Found[],
  ): Promise<Found[]> {
    const others = ids.filter((id) => !isExample(id));
    const found = others.length > 0 || ids.length === 0 ? await read(others) : [];
    return others.length === ids.length ? found : [...found, ...own(await recorded())];
  }

  const timelineOf = async (id: string): Promise<Services['timeline']> =>
    isExample(id) ? (await recorded()).timeline : timeline;

  return {
    ...services,
    results: {
      ...results,
      getRun: async (id) => (isExample(id) ? (await recorded()).run : await results.getRun(id)),
      getRuns: (ids) => beside(ids, results.getRuns, ({ run }) => [run]),
      getTrials: (...ids) =>
        beside(
          ids,
          (others) => results.getTrials(...others),
          ({ trials }) => trials,
        ),
      async getSamples(of) {
        if ('run' in of && isExample(of.run)) return [...(await recorded()).samples];
        return await results.getSamples(of);
      },
      getSeriesSamples: async (id) =>
        isExample(id) ? [...(await recorded()).samples] : await results.getSeriesSamples(id),
      listProfiles: async (id) =>
        isExample(id) ? [...(await recorded()).profiles] : await results.listProfiles(id),
      getProfiles: async (id, choice) =>
        isExample(id)
          ? (await recorded()).profiles.filter((profile) => isChosen(profile, choice))
          : await results.getProfiles(id, choice),
    },
    history: {
      read: () => history.read(),
      async trialStamps(ids) {
        const others = ids.filter((id) => !isExample(id));
        const stamps = new Map(others.length > 0 ? await history.trialStamps(others) : []);
        // The trials of the example never change.
        return others.length === ids.length ? stamps : stamps.set(EXAMPLE.run.id, 'recorded');
      },
    },
    timeline: {
      timeline: async (id, options) => (await timelineOf(id)).timeline(id, options),
      heatmap: async (id, options) => (await timelineOf(id)).heatmap(id, options),
      parts: async (id, options) => (await timelineOf(id)).parts(id, options),
      distributions: async (id) => (await timelineOf(id)).distributions(id),
    },
    runs: {
      ...runs,
      resume: (id, options) => unlessExample(id, () => runs.resume(id, options)),
      cancel: (id, reason) => unlessExample(id, () => runs.cancel(id, reason)),
      cleanUp: (id) => unlessExample(id, () => runs.cleanUp(id)),
      delete: (id) => unlessExample(id, () => runs.delete(id)),
      progress: (id) => (isExample(id) ? null : runs.progress(id)),
      queuedBehind: (id) => (isExample(id) ? null : runs.queuedBehind(id)),
      heldBack: (id) => (isExample(id) ? '' : runs.heldBack(id)),
      follow: (id, listener) => (isExample(id) ? () => undefined : runs.follow(id, listener)),
    },
    runFiles: {
      ...runFiles,
      async export(ids) {
        if (!ids.some(isExample)) return await runFiles.export(ids);
        if (ids.some((id) => !isExample(id)))
          throw inputError('run.example', 'run', 'the recorded example is a separate file: export it alone');
        const { file } = await recorded();
        return {
          contentType: RUN_FILE_TYPE,
          fileName: `${EXAMPLE.run.id}${RUN_FILE_ENDING}`,
          stream: Readable.from([file]),
        };
      },
    },
  };
}

/**
 * Returns the content of common/example/label.json: a summary of the example run, its machine and a note. `file`: content of the file that
 * contains the run. Used by scripts/record-example.mjs.
 */
export const exampleLabel = async (
  file: Buffer,
  { machine, note }: Pick<ExampleLabel, 'machine' | 'note'>,
): Promise<ExampleLabel> => ({ run: summaryOf((await exampleRun(file)).run), machine, note });
