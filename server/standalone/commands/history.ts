/** `dyno history` and `dyno watch`: what became of an experiment over its runs, for people and for build servers. */
import { fetch, EnvHttpProxyAgent } from 'undici';
import { causeLines } from '../../../common/history/cause';
import type { History, HistoryFilter } from '../../../common/history/history';
import {
  noticeOf,
  watchHistory,
  watchSentence,
  type WatchNotice,
  type WatchState,
} from '../../../common/history/watch';
import { describeProblem, DynoError, inputError, messageOf, runError } from '../../../common/problem';
import {
  renderHistory,
  renderHistoryCsv,
  renderWatchJunit,
  renderWatchMarkdown,
} from '../../../common/history/render';
import { createNights, type Nights } from '../../results/nights';
import { writeReport } from '../report-file';
import type { Console } from '../terminal/console';
import { withResults, type ResultsOptions } from './results';

interface FilterOptions extends ResultsOptions {
  metric: string[];
  cell: string[];
}

export interface HistoryOptions extends FilterOptions {
  from?: string;
  to?: string;
  csv?: boolean;
  json?: boolean;
}

export interface WatchOptions extends FilterOptions {
  since?: string;
  junit?: string;
  markdown?: string;
  webhook?: string;
  json?: boolean;
}

/** Rejects with a DynoError (input) where none or several are called so, or none has what the filter names. */
async function readHistory(nights: Nights, named: string, filter: HistoryFilter): Promise<History> {
  const found = await nights.find(named);
  if (found.length === 0)
    throw inputError(
      'command.experiment',
      'experiment',
      'there are no runs of such an experiment; `dyno runs` lists runs',
      {
        found: named,
        allowed: 'the id or the whole name of an experiment',
      },
    );
  if (found.length > 1)
    throw inputError('command.experiment', 'experiment', 'several experiments have this name: give an id', {
      found: named,
      allowed: found.map(({ id }) => id).join(', '),
    });
  const history = await nights.history(found[0]!, filter);
  const isFiltered = [filter.metrics, filter.cells].some((names) => names !== undefined && names.length > 0);
  if (history.series.length > 0 || history.nights.length === 0 || !isFiltered) return history;
  const { series } = await nights.history(found[0]!);
  const distinct = (names: readonly string[]): string => [...new Set(names)].join(', ');
  throw inputError('command.series', '--metric, --cell', 'no night tells this metric in this cell', {
    found: distinct([...(filter.metrics ?? []), ...(filter.cells ?? [])]),
    allowed: `${distinct(series.map(({ metric }) => metric))}, and figures of the cluster; cells ${distinct(series.map(({ cell }) => cell))}`,
  });
}

export const showHistory = (named: string, options: HistoryOptions, console: Console): Promise<number> =>
  withResults(options, console, async ({ results }) => {
    const { metric: metrics, cell: cells, from, to, csv, json } = options;
    const history = await readHistory(createNights(results), named, { metrics, cells, from, to });
    if (json) console.print(JSON.stringify(history));
    else if (csv) console.print(renderHistoryCsv(history).trimEnd());
    else console.print(renderHistory(history, console));
    return 0;
  });

const EXIT_CODES: Readonly<Record<WatchState, number>> = { 'no-regression': 0, regression: 1, 'too-few': 4 };

/** Exit code where the answer could not be handed on: a file, or the webhook. */
const NOT_TOLD = 3;

const WEBHOOK_MS = 10_000;

/** Rejects with a DynoError (run) unless it was taken. */
export async function postNotice(url: string, notice: WatchNotice): Promise<void> {
  const failure = (why: string, cause?: unknown): DynoError =>
    runError('watch.webhook', '--webhook', `the webhook did not take what changed: ${why}`, cause);
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(notice),
      signal: AbortSignal.timeout(WEBHOOK_MS),
      dispatcher,
    }).catch((error: unknown) => {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      throw failure(messageOf(cause), error);
    });
    if (!ok) throw failure(`it answered ${status}`);
  } finally {
    await dispatcher.destroy();
  }
}

/** Throws a DynoError (input) for what is no address of a webhook. */
export function checkWebhook(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw inputError('command.webhook', '--webhook', 'not the address of a webhook', {
      found: url,
      allowed: 'a URL that begins with https:// or http://',
    });
}

/** Resolves to 0 without a regression, 1 with one, 4 with too few nights, 3 where the answer could not be handed on. */
export async function watchExperiment(
  named: string,
  options: WatchOptions,
  console: Console,
): Promise<number> {
  const { metric: metrics, cell: cells, since, junit, markdown, webhook, json } = options;
  if (webhook !== undefined) checkWebhook(webhook);
  return await withResults(options, console, async ({ results }) => {
    const history = await readHistory(createNights(results), named, { metrics, cells });
    const watch = watchHistory(history, since);
    const notice = noticeOf(history, watch);
    const sentence = watchSentence(history, watch);
    if (json) {
      const { experiment, nights } = history;
      const { state, regressions, news } = watch;
      const night = nights.at(-1) ?? null;
      console.print(JSON.stringify({ experiment, night, state, sentence, regressions, news }, null, 2));
    } else {
      console.print(`${history.experiment.name}: ${sentence}`);
      for (const { sentence, since: night, cause } of watch.regressions) {
        console.print(`- ${sentence} (run ${night.run})`);
        causeLines(cause).forEach((line) => console.print(`  ${line}`));
      }
      for (const series of watch.silent)
        console.say(`the newest night does not tell ${series.metric} with ${series.label}`);
    }
    const handOn = [
      ...(junit === undefined ? [] : [() => writeReport(junit, () => renderWatchJunit(history, watch))]),
      ...(markdown === undefined
        ? []
        : [() => writeReport(markdown, () => renderWatchMarkdown(history, watch))]),
      ...(webhook === undefined || notice === undefined ? [] : [() => postNotice(webhook, notice)]),
    ];
    let isTold = true;
    for (const hand of handOn) {
      try {
        await hand();
      } catch (error) {
        if (!(error instanceof DynoError)) throw error;
        error.problems.forEach((problem) => console.warn(describeProblem(problem)));
        isTold = false;
      }
    }
    return isTold ? EXIT_CODES[watch.state] : NOT_TOLD;
  });
}
