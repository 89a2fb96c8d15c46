/** Between two environments of a run: what somebody is asked to do, and how the run goes on then. */
import { environmentLabel } from '../../../common/experiment/environment';
import type { RunDocument } from '../../../common/experiment/run';
import { inputError } from '../../../common/problem';
import type { ResultsReader } from '../../results/reader';
import { checkResumable } from '../../run/queue/queue';
import { shownHosts } from '../../target-cluster/hosts';
import { EMBEDDED, type PlaceOptions, type Places } from '../host';
import { COMMAND } from '../how-called';
import type { Console } from '../terminal/console';
import { canAsk, untilEnter } from '../terminal/enter';

type Kept = Pick<PlaceOptions, 'elasticsearch' | 'results'>;

/** The run of this id, or of the only id that begins so. Rejects with a DynoError (input) where it cannot go on. */
export async function findResumable(reader: ResultsReader, id: string): Promise<RunDocument> {
  const found = await reader.getRun(id);
  if (!found) throw inputError('command.run', 'resume', 'there is no such run', { found: id });
  checkResumable(found);
  return found;
}

/** The option that names the cluster with the results; '' for the embedded one. */
export function keptWhere({ elasticsearch, results }: Kept): string {
  const kept = results ?? elasticsearch;
  if (kept === undefined) return '';
  return ` --results ${kept === EMBEDDED ? kept : shownHosts(kept)}`;
}

/** The command that goes on with a run, on the same target. */
export const resumption = (id: string, options: Kept): string =>
  `${COMMAND} resume ${id}${options.elasticsearch === undefined ? '' : ` --elasticsearch ${shownHosts(options.elasticsearch)}`}${options.results === undefined ? '' : keptWhere(options)}`;

/** Asks where somebody is there to answer; false where nobody is, or nobody wants to: the run then waits. */
export async function askForEnvironment(
  { run }: RunDocument,
  places: Pick<Places, 'reader'>,
  options: Kept,
  console: Pick<Console, 'say'>,
): Promise<boolean> {
  const label = environmentLabel(run.waiting?.environment ?? {});
  const results = keptWhere(options) || ` --results ${EMBEDDED}`;
  const later = [
    `${COMMAND} resume ${run.id}${options.elasticsearch === undefined ? '' : ` --elasticsearch ${shownHosts(options.elasticsearch)}`}${keptWhere(options)}`,
    `(in another cluster: --elasticsearch URL${results})`,
  ].join('  ');
  if (canAsk()) {
    console.say(`\nThe run waits for ${label}. To go on later, press Ctrl-C, and then: ${later}`);
    if (await untilEnter(`Set up ${label}, then press Enter: `)) {
      await findResumable(places.reader, run.id);
      return true;
    }
  }
  console.say(
    `\nThe run waits for ${label}; what was measured so far is kept. Set it up, then continue with\n${later}`,
  );
  return false;
}
