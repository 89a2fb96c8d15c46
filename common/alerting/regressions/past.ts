/** Evaluates a rule for past runs: the alerts that the rule would have had after each of the newest runs. */
import type { History, ListedRun } from '../../history/history';
import { reasonOf } from './context';
import { isWorse, judgeRun, judgeRuns, nameOf, type Judgement, type Level } from './evaluate';
import type { RegressionParams } from './params';
import { activeChangesOf } from './active-changes';
import { parseTime } from '../../units/time';

export interface PastRow {
  /** Id of the alert. */
  id: string;
  name: string;
  /** The level of the alert after each run; null if there was nothing to judge at that run. */
  levels: ({ level: Level; reason: string } | null)[];
}

export interface RegressionPast {
  experiment: History['experiment'];
  /** Runs, the oldest first. */
  nights: ListedRun[];
  /** One row for each alert. Rows are sorted by their worst level, then by their duration. */
  rows: PastRow[];
  /**
   * The times at which the level of an alert changed, the newest first. `night`: the run after which the level changed. `level`: the new
   * level.
   */
  said: { id: string; night: ListedRun; level: Level; reason: string }[];
  /** Number of series that the rule watches. */
  series: number;
  /** A sentence if the time since the last run is longer than the rule allows; otherwise null. */
  late: string | null;
}

const levelAt = (row: PastRow, place: number): Level => row.levels[place]?.level ?? 'ok';

const isAlert = (level: Level): boolean => level !== 'ok';

/**
 * Evaluates the rule for the newest `count` runs. `now`: the current time, in ms since the epoch. The evaluation uses the history as it is
 * today. If the margin (smallest relative difference that counts) or the metrics have changed since a run, the alerts at that time may have
 * been different.
 */
export function judgePast(
  history: History,
  params: RegressionParams,
  count: number,
  now: number,
): RegressionPast {
  const { nights: runs, experiment, series } = history;
  const active = activeChangesOf(history, params);
  const reason = (judgement: Judgement): string => reasonOf(judgement, history, params);
  /**
   * Returns the judgement about missing runs at the moment before the run with the index `point` began. Empty if the rule does not watch
   * for missing runs.
   */
  const cameLate = (point: number): Judgement[] =>
    params.noNightFor === undefined || point === 0
      ? []
      : [judgeRuns(history, params, point - 1, parseTime(runs[point]!.at))];
  // The run before the first shown run is evaluated too. Otherwise, alerts that were already active at the first shown run would be listed
  // as new.
  const first = Math.max(0, runs.length - count - 1);
  const shown = Math.max(0, runs.length - count) - first;
  const judged = runs
    .slice(first)
    .map((_, place) => [...cameLate(first + place), ...judgeRun(active, params, first + place)]);

  const rows = new Map<string, PastRow>();
  judged.forEach((judgements, place) => {
    for (const judgement of judgements) {
      const { id, level } = judgement;
      let own = rows.get(id);
      if (own === undefined)
        rows.set(id, (own = { id, name: nameOf(judgement), levels: judged.map(() => null) }));
      own.levels[place] = { level, reason: reason(judgement) };
    }
  });
  /**
   * Whether to leave a change of level out of the list. The end of an alert about missing runs is left out: it only means that a new run
   * came.
   */
  const isNoNews = (row: PastRow, level: Level): boolean => row.id === experiment.id && !isAlert(level);
  const news = [...rows.values()].flatMap((row) =>
    row.levels.flatMap((own, place) =>
      place < shown || own === null || own.level === levelAt(row, place - 1) || isNoNews(row, own.level)
        ? []
        : [{ id: row.id, night: runs[first + place]!, ...own }],
    ),
  );
  const asOfNow = judgeRuns(history, params, runs.length - 1, now);
  return {
    experiment,
    nights: runs.slice(first + shown),
    rows: [...rows.values()]
      .map((row) => ({ ...row, levels: row.levels.slice(shown) }))
      .filter(({ levels }) => levels.some((own) => own !== null && isAlert(own.level)))
      .sort(worstFirst),
    said: news.sort((one, other) => parseTime(other.night.at) - parseTime(one.night.at)),
    series: series.length,
    late: isAlert(asOfNow.level) ? reason(asOfNow) : null,
  };
}

function worstFirst(one: PastRow, other: PastRow): number {
  const worst = ({ levels }: PastRow): Level =>
    levels.reduce<Level>(
      (found, own) => (own !== null && isWorse(own.level, found) ? own.level : found),
      'ok',
    );
  const length = ({ levels }: PastRow): number =>
    levels.filter((own) => own !== null && isAlert(own.level)).length;
  if (worst(one) === worst(other)) return length(other) - length(one);
  return isWorse(worst(one), worst(other)) ? -1 : 1;
}
