/** Slow computations for pages, as functions of plain data that can be sent to a thread and back. */
import type { EXPORT_FORMATS } from '../../common/api/runs';
import type { RunDocument } from '../../common/experiment/run';
import type { AnalysedRuns } from '../../common/history/history';
import type { HistoryRun } from '../../common/history/history-run';
import { parseMetric } from '../../common/measurement/metric';
import type { TrialDocument } from '../../common/measurement/trial';
import type { Published } from '../../common/presets/published';
import type { ProfileDocument, ProfileFormat } from '../../common/measurement/profile-document';
import { buildReport } from '../../common/report/model/build';
import {
  buildProfile,
  type Profile,
  type ProfileChoice,
  type ProfileHead,
  type ProfileQuery,
} from '../../common/report/model/profile';
import type { Report } from '../../common/report/model/report';
import type { SeriesSample } from '../../common/report/model/series';
import { renderCsv } from '../../common/report/render/csv';
import { renderHtml } from '../../common/report/render/html';
import { renderJson } from '../../common/report/render/json';
import { renderMarkdown } from '../../common/report/render/markdown';
import { renderProfile } from '../../common/report/render/profile-file';
import {
  analyseStored,
  unpacked,
  type AnalyseHistory,
  type AnalysisAnswer,
  type AnalysisFindings,
  type AnalysisOrder,
} from '../results/history-analysis';
import type { PackedHistoryRun } from '../results/stored-history-run';
import { unpackProfile } from '../results/unpacked-profile';

export type ReportFormat = (typeof EXPORT_FORMATS)[number];

const RENDERERS: Readonly<Record<ReportFormat, (report: Report) => string>> = {
  csv: renderCsv,
  json: renderJson,
  md: renderMarkdown,
  html: renderHtml,
};

/** All profiles of a run, and the choice of those that are shown. */
export interface ShownProfiles {
  heads: readonly ProfileHead[];
  choice: ProfileChoice;
}

interface ReportOrder {
  run: RunDocument;
  published: Published | null;
}

/**
 * The computations that the thread can execute. Each has a short input (`order`), long inputs (`lists`), and a result (`answer`). The lists
 * are sent in several messages.
 */
export interface Orders {
  report: { order: ReportOrder; lists: { trials: readonly TrialDocument[] }; answer: Report };
  /** Builds a report and its time series in one output format, such as HTML. The result is the text of the report's file. */
  file: {
    /** `profile`: the profiles of the run, and which ones are shown. Absent if the run has no profile. */
    order: ReportOrder & { format: ReportFormat; profile?: ShownProfiles };
    lists: {
      trials: readonly TrialDocument[];
      samples: readonly SeriesSample[];
      profiles: readonly ProfileDocument[];
    };
    answer: string;
  };
  profile: {
    /** `names`: names of the cells, by index in the plan. */
    order: {
      run: Pick<RunDocument, 'definition' | 'plan'>;
      names: readonly string[];
      shown: ShownProfiles;
      query: ProfileQuery;
    };
    /** The shown profiles. */
    lists: { profiles: readonly ProfileDocument[] };
    answer: Profile;
  };
  /** Writes the stacks of profiles for other tools. The result is the text of the file. */
  profileFile: {
    order: { format: ProfileFormat; title: string };
    lists: { profiles: readonly ProfileDocument[] };
    answer: string;
  };
  history: {
    order: AnalysisOrder;
    /** Runs of the history, in any order. */
    lists: { runs: readonly (HistoryRun | PackedHistoryRun)[] };
    answer: Omit<AnalysisAnswer, 'found'> & { found: SentFindings | undefined };
  };
}

export type OrderName = keyof Orders;

type Series = AnalysedRuns['series'][number];

/** Result of analysing a history, without the functions that it contains, because functions cannot be sent between threads. */
type SentFindings = Omit<AnalysisFindings, 'series'> & { series: Omit<Series, 'read'>[] };

type Work<N extends OrderName> = (
  order: Orders[N]['order'],
  lists: Orders[N]['lists'],
) => Orders[N]['answer'];

const WORK: { [N in OrderName]: Work<N> } = {
  report: ({ run, published }, { trials }) => buildReport(run, trials, { published, samples: [] }),
  file: ({ run, published, format, profile }, { trials, samples, profiles }) =>
    RENDERERS[format](
      buildReport(run, trials, {
        ...{ published, samples },
        ...(profile && { profile: { ...profile, profiles: profiles.map(unpackProfile) } }),
      }),
    ),
  profile: ({ run, names, shown, query }, { profiles }) =>
    buildProfile(run, names, { ...shown, profiles: profiles.map(unpackProfile) }, query),
  profileFile: ({ format, title }, { profiles }) => renderProfile(profiles.map(unpackProfile), format, title),
  history: (order, { runs }) => {
    const { found, ...facts } = analyseStored(order, runs);
    return {
      ...facts,
      found: found && { ...found, series: found.series.map(({ read: _read, ...own }) => own) },
    };
  },
};

/**
 * Converts elements of a list to the form that the computation needs: stored runs of a history are unpacked. It is called as soon as
 * elements arrive, while further elements are still being read.
 */
export const arrived = (name: OrderName, elements: readonly unknown[]): readonly unknown[] =>
  name === 'history' ? (elements as Orders['history']['lists']['runs']).map(unpacked) : elements;

/** Executes a computation in the current thread. Throws the errors of the computation. */
export const carryOut = <N extends OrderName>(
  name: N,
  order: Orders[N]['order'],
  lists: Orders[N]['lists'],
): Orders[N]['answer'] => WORK[name](order, lists);

/** The long inputs of a computation. Each is either an array of all elements, or an async iterable that yields arrays of elements. */
export type Handed<N extends OrderName> = {
  [L in keyof Orders[N]['lists']]: Orders[N]['lists'][L] | AsyncIterable<Orders[N]['lists'][L]>;
};

/**
 * Executes a computation and resolves to its result. Rejects with errors of the computation, with errors of reading the lists, and if the
 * thread ends first.
 */
export type Analysis = <N extends OrderName>(
  name: N,
  order: Orders[N]['order'],
  lists: Handed<N>,
) => Promise<Orders[N]['answer']>;

type List = readonly unknown[] | AsyncIterable<readonly unknown[]>;

/** Returns the long inputs of a computation, each with its name. */
export const listsOf = (lists: object): [string, List][] => Object.entries(lists as Record<string, List>);

/** Returns a list as a sequence of arrays that contain its elements. */
export const partsOf = (list: List): Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]> =>
  Symbol.asyncIterator in list ? list : [list];

/** Executes computations in the current thread. Used by commands, which may block their event loop because they serve no requests. */
export const analyseHere: Analysis = async (name, order, lists) => {
  const whole: Record<string, unknown[]> = {};
  for (const [list, elements] of listsOf(lists)) {
    const own: unknown[] = (whole[list] = []);
    for await (const part of partsOf(elements)) for (const element of part) own.push(element);
  }
  return carryOut(name, order, whole as never);
};

export const analyseHistoryBy =
  (analysis: Analysis): AnalyseHistory =>
  async (order, runs) => {
    const { found, ...facts } = await analysis('history', order, { runs });
    return {
      ...facts,
      found: found && {
        ...found,
        series: found.series.map((own) => ({ ...own, read: parseMetric(own.metric)! })),
      },
    };
  };
