/** `dyno results retention`: removes samples that are older than they are to be kept, or says what would go. */
import { RETENTION_FORM, retentionText } from '../../../common/experiment/retention';
import { inputError } from '../../../common/problem';
import { formatBytes, formatNumber, plural } from '../../../common/units/format';
import { baselineRuns } from '../../host/annotation-store';
import { planRetention, type RetentionPlan } from '../../results/retention';
import { retainSamples } from '../../run/queue/queue';
import { KEEP_SAMPLES_SETTING, keepSamples, passSentence } from '../retention';
import type { Console } from '../terminal/console';
import { withResults, type ResultsOptions } from './results';

/** Exit code where some of it is left. */
const EXIT_LEFT = 3;

export interface RetentionCommandOptions extends ResultsOptions {
  keepSamples?: string;
  dryRun?: boolean;
}

const MOST_SHOWN = 20;

export function planSentences({ runs, documents, bytes }: RetentionPlan, keep: string): string[] {
  if (runs.length === 0) return [`No samples are older: they are kept for ${keep}.`];
  const room = bytes === null ? '' : `, about ${formatBytes(bytes)}`;
  return [
    `Samples of ${plural(runs.length, 'run')} would be removed, for they are kept for ${keep}: ${formatNumber(documents)} documents${room}.`,
    ...runs.slice(0, MOST_SHOWN).map((run) => `  ${run.id}: ${plural(run.documents, 'document')}`),
    ...(runs.length > MOST_SHOWN ? [`  and ${plural(runs.length - MOST_SHOWN, 'further run')}`] : []),
    'Runs, trials and nights stay. Nothing was removed: this is a dry run.',
  ];
}

/** Resolves to 3 where something is left, such as while a run is measured there. */
export const applyRetention = (
  { keepSamples: given, dryRun, ...options }: RetentionCommandOptions,
  console: Console,
): Promise<number> => {
  const keep = keepSamples(given);
  if (keep === undefined)
    throw inputError('command.keep-samples', '--keep-samples', 'how long samples are kept is not given', {
      allowed: `${RETENTION_FORM}; or ${KEEP_SAMPLES_SETTING} in the environment`,
    });
  return withResults(options, console, async ({ results }) => {
    if (dryRun) {
      const plan = await planRetention(results, keep, await baselineRuns(results));
      planSentences(plan, retentionText(keep)).forEach(console.print);
      return 0;
    }
    const pass = await retainSamples({ results, keep, kept: () => baselineRuns(results) });
    console.print(passSentence(pass));
    return pass.why === '' ? 0 : EXIT_LEFT;
  });
};
