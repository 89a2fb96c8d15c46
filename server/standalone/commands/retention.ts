/** `dyno results retention`: removes samples of runs that are older than a time limit, or only lists these samples. */
import { RETENTION_FORM, retentionText } from '../../../common/experiment/retention';
import { inputError } from '../../../common/problem';
import { baselineRuns } from '../../host/stores/annotation-store';
import { planRetention } from '../../results/retention';
import { retainSamples } from '../../run/queue/queue';
import { KEEP_SAMPLES_SETTING, keepSamples, passSentence, planSentences } from '../retention';
import type { Console } from '../terminal/console';
import { withResults, type ResultsOptions } from './results';

/** Exit code if some samples could not be removed. */
const EXIT_LEFT = 3;

export interface RetentionCommandOptions extends ResultsOptions {
  keepSamples?: string;
  dryRun?: boolean;
  /** Whether to print JSON on standard output: the removed samples, or those that would be removed. */
  json?: boolean;
}

/**
 * Executes `dyno results retention`. Resolves to exit code 3 if some samples could not be removed, for example because a run is being
 * measured.
 */
export const applyRetention = (
  { keepSamples: given, dryRun, json, ...options }: RetentionCommandOptions,
  console: Console,
): Promise<number> => {
  const keep = keepSamples(given);
  if (keep === undefined)
    throw inputError('command.keep-samples', '--keep-samples', 'the retention of samples is not set', {
      allowed: `${RETENTION_FORM}; or ${KEEP_SAMPLES_SETTING} in the environment`,
    });
  return withResults(options, console, async ({ results }) => {
    if (dryRun) {
      const plan = await planRetention(results, keep, await baselineRuns(results));
      if (json) console.print(JSON.stringify({ keep: retentionText(keep), ...plan }, null, 2));
      else planSentences(plan, retentionText(keep)).forEach((line) => console.print(line));
      return 0;
    }
    const pass = await retainSamples({ results, keep, kept: () => baselineRuns(results) });
    console.print(
      json ? JSON.stringify({ keep: retentionText(keep), ...pass }, null, 2) : passSentence(pass),
    );
    return pass.why === '' ? 0 : EXIT_LEFT;
  });
};
