/** Filters and sorts the list of experiments, divides it into pages, and summarises the experiments of one page. */
import type * as z from 'zod';
import type { EXPERIMENT_ROUTES, ExperimentSummary } from '../../common/api/experiments';
import { tuningOf } from '../../common/tuning/tuning-tags';
import { shownVerdict, trustOf } from '../../common/analysis/run-trust';
import { countCells } from '../../common/experiment/cells';
import { mostTrials } from '../../common/experiment/trial-counts';
import type { MissedTimes } from '../../common/experiment/missed';
import { isOver } from '../../common/experiment/schedule';
import { answerOf, failedTrials, verdictOf } from '../../common/experiment/run';
import type { ExperimentRuns, PastRun } from '../results/experiment-history';
import type { ListedExperiment } from './services';

export type ListQuery = z.output<typeof EXPERIMENT_ROUTES.listExperiments.query>;

/** Facts about an experiment in the list. They do not depend on the results of its trials, which would be slow to read. */
export interface Listed {
  experiment: ListedExperiment;
  history: ExperimentRuns;
  /** The newest scheduled times at which no run started; null if there are no such times. */
  missed: MissedTimes | null;
  /**
   * Returns the next scheduled time as ISO 8601 in UTC. Null if no run is scheduled. Called only when the time is needed, because
   * evaluating cron expressions is slow.
   */
  nextRun(): string | null;
}

export interface ListedPage {
  page: Listed[];
  total: number;
}

function stateOf({ experiment, history: { active } }: Listed): string {
  if (active) return active.run.state;
  const { schedule } = experiment.definition;
  return schedule === undefined || isOver(schedule, new Date()) ? 'idle' : 'scheduled';
}

function resultOf({ history: { last } }: Listed): string {
  const verdict = last && verdictOf(last);
  return verdict ? answerOf(verdict) : (last?.run.state ?? 'none');
}

/** Returns the texts of an experiment that are searched: exactly the texts that the page shows. */
const searchedIn = ({ name, hypothesis, tags, target }: ListedExperiment['definition']): string =>
  [name, hypothesis, ...tags, target].join('\n').toLowerCase();

const matches = <T>(asked: readonly T[], found: readonly unknown[]): boolean =>
  asked.length === 0 || asked.some((one) => found.includes(one));

/**
 * The sort key for each sort order. `lastRun`: an experiment without an ended run counts as older than all others. `nextRun`: an experiment
 * without a next run counts as later than all others.
 */
const ORDERS: Readonly<Record<ListQuery['sort'], (listed: Listed) => string | number>> = {
  name: ({ experiment }) => experiment.definition.name.toLowerCase(),
  target: ({ experiment }) => experiment.definition.target,
  answer: resultOf,
  lastRun: ({ history }) => history.last?.run.ended ?? '',
  nextRun: (listed) => listed.nextRun() ?? '9',
  runs: ({ history }) => history.runs,
};

const compare = (one: string | number, other: string | number): number =>
  one === other ? 0 : one < other ? -1 : 1;

/** Returns the page of `all` that the query asks for. */
export function pageOf(all: readonly Listed[], query: ListQuery): ListedPage {
  const words = query.search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter((listed) => {
    const { definition } = listed.experiment;
    const text = words.length === 0 ? '' : searchedIn(definition);
    return (
      words.every((word) => text.includes(word)) &&
      matches(query.state, [stateOf(listed)]) &&
      matches(query.answer, [resultOf(listed)]) &&
      matches(query.tag, definition.tags) &&
      matches(query.target, [definition.target]) &&
      (query.tunings === 'with' || (query.tunings === 'only') === (tuningOf(definition.tags) !== null))
    );
  });
  const key = ORDERS[query.sort];
  const sign = query.direction === 'desc' ? -1 : 1;
  const keyed = found.map((listed) => ({ listed, key: key(listed) }));
  keyed.sort(
    (one, other) =>
      sign * compare(one.key, other.key) || compare(one.listed.experiment.id, other.listed.experiment.id),
  );
  const from = (query.page - 1) * query.perPage;
  return { page: keyed.slice(from, from + query.perPage).map(({ listed }) => listed), total: found.length };
}

/** Returns the distinct values in alphabetical order. */
export const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

type LastResult = NonNullable<ExperimentSummary['last']>;

/**
 * Returns the facts about the last ended run that the list shows. They are in the document of the run. Therefore, its report is not
 * computed.
 */
export function briefLast(last: PastRun): LastResult {
  const { run, progress } = last;
  const verdict = verdictOf(last);
  return {
    id: run.id,
    state: run.state,
    failed: failedTrials({ run, progress }),
    ended: run.ended,
    answer: verdict ? answerOf(verdict) : null,
    sentence: shownVerdict(verdict)?.sentence ?? '',
    trust: trustOf({ run, progress, verdict }),
    thresholdsFailed: verdict?.thresholds.filter(({ passed }) => !passed).length ?? 0,
    metric: '',
    task: '',
    unit: '',
    cells: [],
  };
}

/**
 * Returns the numbers of cells (combinations of factor levels) and trials. Only the factors and the setting `trials` are needed for this.
 */
export function sizeOf(definition: ListedExperiment['definition']): { cells: number; trials: number } {
  const cells = countCells(definition);
  return { cells, trials: cells * mostTrials(definition.trials) };
}
