/**
 * Reads a long history before anyone asks for it: the first look at one after a start takes twice as long as any later look, for the code of
 * Dyno and that of Elasticsearch run for the first time.
 */
import type { ExperimentHistory } from './experiment-history';
import type { Nights } from './nights';

/** The first look at a shorter one takes half a second. */
const LONG_RUNS = 100;

/** Of the experiment that has the most runs, if it has many; resolves to whether there was one. Reads nothing while a run goes on, which it would disturb. */
export async function readHistoryAhead(
  history: Pick<ExperimentHistory, 'read'>,
  nights: Pick<Nights, 'find' | 'history'>,
): Promise<boolean> {
  const all = [...(await history.read())];
  if (all.some(([, { active }]) => active !== null)) return false;
  const [longest] = all.sort(([, one], [, other]) => other.runs - one.runs);
  if (longest === undefined || longest[1].runs < LONG_RUNS) return false;
  const [experiment] = await nights.find(longest[0]);
  if (experiment === undefined) return false;
  await nights.history(experiment);
  return true;
}
