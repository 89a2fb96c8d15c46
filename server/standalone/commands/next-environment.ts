/** Between two environments of a run: what somebody is asked to do, and how the run goes on then. */
import { environmentLabel } from '../../../common/experiment/environment';
import type { RunDocument } from '../../../common/experiment/run';
import { inputError } from '../../../common/problem';
import type { ResultsReader } from '../../results/reader';
import { checkResumable } from '../../run/queue/resting';
import type { RunInput } from '../../run/run-input';
import { goingOn, keptTrials } from '../../run/record/record';
import { parseHosts, withoutCredentials } from '../../target-cluster/hosts';
import { EMBEDDED, type PlaceOptions, type Places } from '../host';
import type { Console } from '../terminal/console';
import { canAsk, untilEnter } from '../terminal/enter';

type Resumed = NonNullable<RunInput['resume']>;
type Kept = Pick<PlaceOptions, 'elasticsearch' | 'results'>;

/** The run of this id, as it goes on. Rejects with a DynoError (input) where it cannot. */
export async function takeUp(reader: ResultsReader, id: string): Promise<Resumed> {
  const found = await reader.getRun(id);
  if (!found) throw inputError('command.run', 'resume', 'there is no such run', { found: id });
  checkResumable(found);
  return { run: goingOn(found), trials: keptTrials(found, await reader.getTrials(found.run.id)) };
}

/** The option that names the cluster with the results; '' for the embedded one. */
export function keptWhere({ elasticsearch, results }: Kept): string {
  const kept = results ?? elasticsearch;
  if (kept === undefined) return '';
  return ` --results ${kept === EMBEDDED ? kept : parseHosts(kept).map(withoutCredentials).join(',')}`;
}

/** Asks where somebody is there to answer; null where nobody is, or nobody wants to: the run then waits. */
export async function askForEnvironment(
  { run }: RunDocument,
  places: Pick<Places, 'reader'>,
  options: Kept,
  console: Pick<Console, 'say'>,
): Promise<Resumed | null> {
  const label = environmentLabel(run.waiting?.environment ?? {});
  const results = keptWhere(options) || ` --results ${EMBEDDED}`;
  const later = [
    `npm run dyno -- resume ${run.id}${options.elasticsearch === undefined ? '' : ` --elasticsearch ${shown(options.elasticsearch)}`}${keptWhere(options)}`,
    `(in another cluster: --elasticsearch URL${results})`,
  ].join('  ');
  if (canAsk()) {
    console.say(`\nThe run waits for ${label}. To go on later, press Ctrl-C, and then: ${later}`);
    if (await untilEnter(`Set up ${label}, then press Enter: `)) return await takeUp(places.reader, run.id);
  }
  console.say(
    `\nThe run waits for ${label}; what was measured so far is kept. Set it up, then continue with\n${later}`,
  );
  return null;
}

const shown = (urls: string): string => parseHosts(urls).map(withoutCredentials).join(',');
