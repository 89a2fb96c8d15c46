/** The variables of a regression alert that its actions can use, and a sentence that explains the level of the alert. */
import { formatChange, formatChanges, formatMetric } from '../../analysis/wording';
import { causeLines } from '../../history/cause';
import type { History, ListedRun } from '../../history/history';
import { parseMetric } from '../../measurement/metric';
import type { ContextVariable } from '../rule-type';
import { nameOf, type Judgement } from './evaluate';
import type { RegressionParams } from './params';

/** Names and descriptions of the variables. Kibana shows them to authors of messages. */
export const CONTEXT_VARIABLES = [
  { name: 'reason', description: 'What happened, in one sentence' },
  { name: 'level', description: 'regression, change, nodata, or ok once it has recovered' },
  { name: 'experiment', description: 'Its name' },
  { name: 'experimentId', description: 'Its id' },
  { name: 'metric', description: 'As claims write it: search.latency.p95; empty where no run came' },
  { name: 'metricName', description: 'As people read it' },
  { name: 'cell', description: 'Id of the cell, as its levels write it' },
  { name: 'cellName', description: 'Its label' },
  { name: 'sentence', description: 'The change: since when, where, by how much, with its interval' },
  { name: 'kind', description: 'worse, better or recovery; empty without a change' },
  { name: 'since', description: 'When the first run of the new level began, ISO 8601' },
  { name: 'sinceRun', description: 'Its run' },
  { name: 'sinceLink', description: 'Link to its result' },
  { name: 'before', description: 'When the last run before began, ISO 8601' },
  { name: 'beforeRun', description: 'Its run' },
  { name: 'beforeLink', description: 'Link to its result' },
  { name: 'confirmed', description: 'When the run began with which the change became known, ISO 8601' },
  { name: 'confirmedRun', description: 'Its run' },
  { name: 'ratio', description: 'Level after to level before; empty where the level before is 0' },
  { name: 'change', description: 'The ratio as a change, such as +12%' },
  { name: 'interval', description: 'Its 95% interval, such as +8% to +16%' },
  { name: 'intervalLow', description: 'Of the ratio' },
  { name: 'intervalHigh', description: 'Of the ratio' },
  { name: 'levelBefore', description: 'With its unit' },
  { name: 'levelAfter', description: 'With its unit' },
  {
    name: 'trust',
    description: 'Trust in the runs that show the change: high, limited or none; empty without a change',
  },
  { name: 'cause', description: 'What else changed in the same run, and what moved with it, in sentences' },
  { name: 'margin', description: 'Margin of the experiment: a smaller difference does not count' },
  { name: 'night', description: 'When the newest run began, ISO 8601; empty without one' },
  { name: 'nightRun', description: 'Its run' },
  { name: 'nights', description: 'How many runs the history has' },
  { name: 'link', description: 'Link to the history' },
] as const satisfies readonly ContextVariable[];

export type RegressionContext = Record<(typeof CONTEXT_VARIABLES)[number]['name'], string | number>;

/** Complete URLs of pages of Dyno. */
export interface Links {
  /** Returns the URL of the page of a history. If `series` is given, the page shows the chart of this series. */
  history(experiment: string, series: { metric: string; cell: string } | null): string;
  result(run: string): string;
}

/** Formats a time in UTC, rounded down to the minute. */
const moment = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

type About = Pick<History, 'experiment' | 'nights'>;

/** Returns one sentence that explains why a series has this level of alert, or why it has no alert. */
export function reasonOf(
  judgement: Judgement,
  { experiment, nights: runs }: About,
  params: RegressionParams,
): string {
  const { level, ground, change, newest } = judgement;
  const { name } = experiment;
  const last = newest === null ? undefined : runs[newest];
  const own = nameOf(judgement);
  switch (ground) {
    case 'stands':
      return `${level === 'regression' ? 'Regression' : 'Change'} of ${name}: ${change!.sentence}`;
    case 'silent':
      return `No data: the newest run of ${name} did not measure ${own}; the one of ${moment(last!.at)} did`;
    case 'late':
      return last === undefined
        ? `No data: no run of ${name} has completed yet`
        : `No data: no run of ${name} since ${moment(last.at)}, longer than ${params.noNightFor}`;
    case 'ended':
      return `Recovered: ${name}, ${change!.sentence}`;
    case 'accepted':
      return `Accepted: the change of ${name}, ${change!.sentence}; only runs from ${params.since} on count`;
    case 'gone':
      return `Ended: no run of ${name} has measured ${own} since ${moment(last!.at)}`;
    case 'well':
      return own === ''
        ? `Recovered: a run of ${name} came at ${last === undefined ? '' : moment(last.at)}`
        : `Recovered: no alert any more for ${own} of ${name}`;
  }
}

const at = (historyRun: ListedRun | null | undefined): string => historyRun?.at ?? '';
const run = (historyRun: ListedRun | null | undefined): string => historyRun?.run ?? '';

function shown({ series }: Judgement, value: number | undefined): string {
  const read = series === null ? undefined : parseMetric(series.metric);
  return series === null || read === undefined || value === undefined
    ? ''
    : formatMetric(read, value, series.unit);
}

export function contextOf(
  judgement: Judgement,
  history: About & Pick<History, 'margin'>,
  params: RegressionParams,
  links: Links,
): RegressionContext {
  const { level, series, change } = judgement;
  const { experiment, nights: runs, margin } = history;
  const resultOf = (historyRun: ListedRun | null | undefined): string =>
    historyRun ? links.result(historyRun.run) : '';
  const newest = runs.at(-1);
  const { ratio = null, interval = null } = change ?? {};
  return {
    reason: reasonOf(judgement, history, params),
    level,
    experiment: experiment.name,
    experimentId: experiment.id,
    metric: series?.metric ?? '',
    metricName: series?.title ?? '',
    cell: series?.cell ?? '',
    cellName: series?.label ?? '',
    sentence: change?.sentence ?? '',
    kind: change?.kind ?? '',
    since: at(change?.since),
    sinceRun: run(change?.since),
    sinceLink: resultOf(change?.since),
    before: at(change?.before),
    beforeRun: run(change?.before),
    beforeLink: resultOf(change?.before),
    confirmed: at(change?.confirmed),
    confirmedRun: run(change?.confirmed),
    ratio: ratio ?? '',
    change: change === null ? '' : formatChange(ratio),
    interval: change === null ? '' : formatChanges(interval),
    intervalLow: interval?.low ?? '',
    intervalHigh: interval?.high ?? '',
    levelBefore: shown(judgement, change?.from),
    levelAfter: shown(judgement, change?.to),
    trust: change === null ? '' : (change.trust ?? 'high'),
    cause: change === null ? '' : causeLines(change.cause).join(' '),
    margin: formatChange(1 + margin),
    night: at(newest),
    nightRun: run(newest),
    nights: runs.length,
    link: links.history(experiment.id, series),
  };
}
