/** Removes samples of the server's results that are older than they are to be kept, once a day. Off unless a setting says for how long. */
import { parseRetention, RETENTION_FORM, type Retention } from '../../common/experiment/retention';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { inputError, messageOf, type Problem } from '../../common/problem';
import { formatBytes, formatNumber, plural } from '../../common/units/format';
import { baselineRuns } from '../host/stores/annotation-store';
import type { RetentionPlan } from '../results/retention';
import { wasClosed } from '../target-cluster/failure';
import { retainSamples, type RetentionPass } from '../run/queue/queue';

export const KEEP_SAMPLES_SETTING = 'DYNO_KEEP_SAMPLES';

/** For how long samples are kept: `--keep-samples`, else the environment; undefined for always. Throws a DynoError (input) for a wrong one. */
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
    'does not say how long samples are kept',
    { found: text, allowed: RETENTION_FORM },
  );
}

/** After the start there is other work, ms. */
const FIRST_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** Where a pass left something, or failed, ms. */
const AGAIN_MS = 10 * 60_000;
/** The longest pass, ms: the next one goes on. */
const PASS_MS = 10 * 60_000;

/** Runs that a dry run names. */
const MOST_SHOWN = 20;

export const passSentence = ({ runs, documents, left, why }: RetentionPass): string =>
  [
    `samples of ${plural(runs, 'run')} were removed (${plural(documents, 'document')})`,
    ...(why === '' ? [] : [`${left === 0 ? '' : `those of ${plural(left, 'run')} are left: `}${why}`]),
  ].join('; ');

/** What a dry run says. */
export function planSentences({ runs, documents, bytes }: RetentionPlan, keep: string): string[] {
  if (runs.length === 0) return [`No samples are older: they are kept for ${keep}.`];
  const room = bytes === null ? '' : `, about ${formatBytes(bytes)}`;
  return [
    `Samples of ${plural(runs.length, 'run')} would be removed, for they are kept for ${keep}: ${formatNumber(documents)} documents${room}.`,
    ...runs.slice(0, MOST_SHOWN).map((run) => `  ${run.id}: ${plural(run.documents, 'document')}`),
    ...(runs.length > MOST_SHOWN ? [`  and ${plural(runs.length - MOST_SHOWN, 'further run')}`] : []),
    'Runs, trials and histories stay. Nothing was removed: this is a dry run.',
  ];
}

export interface RetainingOptions {
  results: ElasticsearchClient;
  keep: Retention;
  say: (sentence: string) => void;
  onProblem: (problem: Problem) => void;
}

export interface Retaining {
  /** Resolves when nothing is removed any more. */
  stop(): Promise<void>;
}

export function startRetaining({ results, keep, say, onProblem }: RetainingOptions): Retaining {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout;
  let going: Promise<void> = Promise.resolve();
  /** Told once, and not every ten minutes. */
  let said = '';

  /** Resolves to when to look again, ms; never rejects. */
  async function look(): Promise<number> {
    try {
      const until = Date.now() + PASS_MS;
      const pass = await retainSamples({ results, keep, kept: () => baselineRuns(results), until, signal });
      said = '';
      if (pass.runs > 0) say(passSentence(pass));
      return pass.why === '' ? DAY_MS : AGAIN_MS;
    } catch (error) {
      const message = `samples that are older than they are to be kept could not be removed: ${messageOf(error)}`;
      if (!wasClosed(error) && !signal.aborted && message !== said)
        onProblem({ code: 'results.retention', path: '', message });
      said = message;
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
