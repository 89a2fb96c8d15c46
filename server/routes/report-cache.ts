/** Reports of runs: each is built once, and kept while the documents that it was built of stay as they are. */
import { createHash } from 'node:crypto';
import type { RunDocument } from '../../common/experiment/run';
import { publishedOf } from '../../common/presets';
import { inputError, DynoError } from '../../common/problem';
import type { Report } from '../../common/report/model/report';
import { analyseHere, type Analysis, type ReportFormat } from '../analysis/work';
import type { ExperimentHistory } from '../results/experiment-history';
import { MadeOnce } from '../results/read-once';
import type { ResultsReader } from '../results/reader';

export interface ReportCache {
  /** Rejects with `run.not-found`; ids are whole, prefixes are for people at a terminal. */
  findRun(id: string): Promise<RunDocument>;
  /** Without its timeline over time. Not to be changed: it may be told again. */
  reportOf(run: RunDocument): Promise<Report>;
  /** With it, as the command writes it. */
  fileOf(run: RunDocument, format: ReportFormat): Promise<string>;
}

/** Trials and cells of all reports that are kept, each some 4 KB. */
const MOST_KEPT = 10_000;

/** Reports of all readers of the same results whose users may see the same of them, and who builds them. */
export class ReportMemory {
  readonly reports = new MadeOnce<Report>(MOST_KEPT, ({ trials, cells }) => 1 + trials.length + cells.length);

  constructor(readonly analyse: Analysis = analyseHere) {}
}

const hashOf = (run: RunDocument): string => createHash('sha256').update(JSON.stringify(run)).digest('hex');

export interface ReportParts {
  results: Pick<ResultsReader, 'getRun' | 'getTrials' | 'getSeriesSamples'>;
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
      const [trials, samples] = await Promise.all([results.getTrials(id), results.getSeriesSamples(id)]);
      return await memory.analyse(
        'file',
        { run, published: publishedOf(run.experiment), format },
        { trials, samples },
      );
    },
  };
}
