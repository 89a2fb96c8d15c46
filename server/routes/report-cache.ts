/** Caches the reports of runs. A cached report is valid until its run or a trial of the run changes. */
import { createHash } from 'node:crypto';
import type { RunDocument } from '../../common/experiment/run';
import type { ProfileFormat } from '../../common/measurement/profile-document';
import { publishedOf } from '../../common/presets';
import { inputError, DynoError } from '../../common/problem';
import { cellNames } from '../../common/report/model/cell-names';
import {
  chooseForFile,
  chooseProfile,
  type Profile,
  type ProfileQuery,
} from '../../common/report/model/profile';
import type { Report } from '../../common/report/model/report';
import { analyseHere, type Analysis, type ReportFormat } from '../analysis/work';
import type { ExperimentHistory } from '../results/experiment-history';
import { MadeOnce } from '../results/read-once';
import type { ResultsReader } from '../results/reader';

export interface ReportCache {
  /** Finds a run by its complete id. Only the command line accepts the beginning of an id. Rejects with `run.not-found`. */
  findRun(id: string): Promise<RunDocument>;
  /** Returns the report without time series. Callers must not change it, because later calls may return the same object. */
  reportOf(run: RunDocument): Promise<Report>;
  /** Returns the report with time series, in the form in which the command line writes it to a file. */
  fileOf(run: RunDocument, format: ReportFormat): Promise<string>;
  /** Returns the profile of a run. Rejects with the errors of `chooseProfile`. */
  profileOf(run: RunDocument, query: ProfileQuery): Promise<Profile>;
  /** Returns the stacks of one cell as the text of a file for other tools. Rejects with the errors of `chooseForFile`. */
  profileFileOf(
    run: RunDocument,
    query: Pick<ProfileQuery, 'cell' | 'event'> & { format: ProfileFormat },
  ): Promise<string>;
}

/**
 * Maximum number of trials and cells (combinations of factor levels) in all cached reports together. Each trial and each cell needs about 4
 * KB.
 */
const MOST_KEPT = 10_000;

/** Cache of reports, which all users of one results cluster may share. `analyse` builds a report that is not cached. */
export class ReportMemory {
  readonly reports = new MadeOnce<Report>(MOST_KEPT, ({ trials, cells }) => 1 + trials.length + cells.length);

  constructor(readonly analyse: Analysis = analyseHere) {}
}

const hashOf = (run: RunDocument): string => createHash('sha256').update(JSON.stringify(run)).digest('hex');

export interface ReportParts {
  results: Pick<ResultsReader, 'getRun' | 'getTrials' | 'getSeriesSamples' | 'listProfiles' | 'getProfiles'>;
  history: Pick<ExperimentHistory, 'trialStamps'>;
  memory?: ReportMemory;
}

export function reportCache({ results, history, memory = new ReportMemory() }: ReportParts): ReportCache {
  return {
    async findRun(id) {
      const run = await results.getRun(id).catch((error: unknown) => {
        if (error instanceof DynoError && error.code === 'results.ambiguous-run') return undefined;
        throw error;
      });
      if (run?.run.id !== id) throw inputError('run.not-found', 'id', 'there is no such run', { found: id });
      return run;
    },

    async reportOf(run) {
      const { id } = run.run;
      const trials = (await history.trialStamps([id])).get(id) ?? '';
      return await memory.reports.of({ id, stamp: `${hashOf(run)} ${trials}` }, async () =>
        memory.analyse(
          'report',
          { run, published: publishedOf(run.experiment) },
          { trials: await results.getTrials(id) },
        ),
      );
    },

    async fileOf(run, format) {
      const { id } = run.run;
      const [trials, samples, heads] = await Promise.all([
        results.getTrials(id),
        results.getSeriesSamples(id),
        results.listProfiles(id),
      ]);
      const profile = heads.length === 0 ? undefined : { heads, choice: chooseProfile(heads, {}) };
      const profiles = profile ? await results.getProfiles(id, profile.choice) : [];
      return await memory.analyse(
        'file',
        { run, published: publishedOf(run.experiment), format, ...(profile && { profile }) },
        { trials, samples, profiles },
      );
    },

    async profileOf(run, query) {
      const { definition, plan } = run;
      const heads = await results.listProfiles(run.run.id);
      const choice = chooseProfile(heads, query);
      const { names } = cellNames(await this.reportOf(run));
      return await memory.analyse(
        'profile',
        { run: { definition, plan }, names, shown: { heads, choice }, query },
        { profiles: await results.getProfiles(run.run.id, choice) },
      );
    },

    async profileFileOf({ run: { id }, experiment }, { format, ...query }) {
      const choice = chooseForFile(await results.listProfiles(id), query);
      const profiles = await results.getProfiles(id, choice);
      return await memory.analyse('profileFile', { format, title: experiment.name }, { profiles });
    },
  };
}
