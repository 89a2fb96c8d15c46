/**
 * Removes samples of old runs once a day. The *retention* is the maximum age of samples, or the number of runs that keep their samples.
 * Without a retention, nothing is removed.
 */
import { parseRetention, RETENTION_FORM, type Retention } from '../../common/experiment/retention';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { inputError, messageOf, type Problem } from '../../common/problem';
import { formatBytes, formatNumber, plural } from '../../common/units/format';
import { baselineRuns } from '../host/stores/annotation-store';
import type { RetentionPlan } from '../results/retention';
import { wasClosed } from '../target-cluster/failure';
import { retainSamples, type RetentionPass } from '../run/queue/queue';

export const KEEP_SAMPLES_SETTING = 'DYNO_KEEP_SAMPLES';

/**
 * Returns the retention in `--keep-samples` or in the environment variable. Undefined means that samples are kept forever. Throws an input
 * error if the value is invalid.
 */
export function keepSamples(
  option: string | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): Retention | undefined {
  const text = option ?? (environment[KEEP_SAMPLES_SETTING] || undefined);
  if (text === undefined) return undefined;
  const retention = parseRetention(text);
  if (retention) return retention;
  throw inputError(
    'command.keep-samples',
    option === undefined ? KEEP_SAMPLES_SETTING : '--keep-samples',
    'is not a valid retention of samples',
    { found: text, allowed: RETENTION_FORM },
  );
}

/** Time in ms from the start of the server to the first pass. A pass is one removal of samples. */
const FIRST_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** Time in ms from a pass (a removal of samples) to the next one, if the first was incomplete or failed. */
const AGAIN_MS = 10 * 60_000;
/** Maximum duration of a pass (a removal of samples), in ms. The next pass continues where this one stopped. */
const PASS_MS = 10 * 60_000;

/** Maximum number of runs in the output of `dyno results retention --dry-run`. */
const MOST_SHOWN = 20;

export const passSentence = ({ runs, documents, left, why }: RetentionPass): string =>
  [
    `samples of ${plural(runs, 'run')} were removed (${plural(documents, 'document')})`,
    ...(why === '' ? [] : [`${left === 0 ? '' : `those of ${plural(left, 'run')} remain: `}${why}`]),
  ].join('; ');

/** Returns the output of `dyno results retention --dry-run`, which only lists the samples to remove. */
export function planSentences({ runs, documents, bytes }: RetentionPlan, keep: string): string[] {
  if (runs.length === 0) return [`Nothing to remove: no samples are older than the retention (${keep}).`];
  const room = bytes === null ? '' : `, about ${formatBytes(bytes)}`;
  return [
    `Samples of ${plural(runs.length, 'run')} would be removed (retention ${keep}): ${formatNumber(documents)} documents${room}.`,
    ...runs.slice(0, MOST_SHOWN).map((run) => `  ${run.id}: ${plural(run.documents, 'document')}`),
    ...(runs.length > MOST_SHOWN ? [`  and ${plural(runs.length - MOST_SHOWN, 'further run')}`] : []),
    'Runs, trials and histories are kept. Nothing was removed: this is a dry run.',
  ];
}

export interface RetainingOptions {
  results: ElasticsearchClient;
  keep: Retention;
  say: (sentence: string) => void;
  onProblem: (problem: Problem) => void;
}

export interface Retaining {
  /** Stops the daily removal. Resolves when the current pass has ended. */
  stop(): Promise<void>;
}

export function startRetaining({ results, keep, say, onProblem }: RetainingOptions): Retaining {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout;
  let going: Promise<void> = Promise.resolve();
  /** The last error that was reported. The same error is not reported again every ten minutes. */
  let reported = '';

  /** Executes a pass (a removal of samples). Resolves to the delay before the next pass, in ms. Never rejects. */
  async function look(): Promise<number> {
    try {
      const until = Date.now() + PASS_MS;
      const pass = await retainSamples({ results, keep, kept: () => baselineRuns(results), until, signal });
      reported = '';
      if (pass.runs > 0) say(passSentence(pass));
      return pass.why === '' ? DAY_MS : AGAIN_MS;
    } catch (error) {
      const message = `samples that are older than the retention could not be removed: ${messageOf(error)}`;
      if (!wasClosed(error) && !signal.aborted && message !== reported)
        onProblem({ code: 'results.retention', path: '', message });
      reported = message;
      return AGAIN_MS;
    }
  }

  const plan = (ms: number): void => {
    if (signal.aborted) return;
    timer = setTimeout(() => (going = look().then(plan)), ms);
    timer.unref();
  };
  plan(FIRST_MS);
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await going;
    },
  };
}
