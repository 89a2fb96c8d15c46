/**
 * Used between two environments of a run, such as two kinds of disks. Asks the user to set up the next environment. Also shows how to
 * resume the run later.
 */
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

type Kept = Pick<PlaceOptions, 'elasticsearch' | 'results' | 'fromTarget'>;

/**
 * Finds a run by its id, or by the beginning of its id if only one run has this beginning. Rejects with an input error if the run cannot be
 * resumed.
 */
export async function findResumable(reader: ResultsReader, id: string): Promise<RunDocument> {
  const found = await reader.getRun(id);
  if (!found) throw inputError('command.run', 'resume', 'there is no such run', { found: id });
  checkResumable(found);
  return found;
}

/**
 * Returns the command-line option that names the results cluster; '' if the user named neither a results cluster nor a target. Dyno then
 * uses the embedded Elasticsearch.
 */
export function keptWhere({ elasticsearch, results }: Kept): string {
  const kept = results ?? elasticsearch;
  if (kept === undefined) return '';
  return ` --results ${kept === EMBEDDED ? kept : shownHosts(kept)}`;
}

/** Returns the command-line options that name the target and the cluster from which documents are copied. */
const measuredWhere = ({ elasticsearch, fromTarget }: Kept): string =>
  (elasticsearch === undefined ? '' : ` --elasticsearch ${shownHosts(elasticsearch)}`) +
  (fromTarget === undefined ? '' : ` --from-target ${shownHosts(fromTarget)}`);

/** Returns the command that resumes a run on the same target. */
export const resumption = (id: string, options: Kept): string =>
  `${COMMAND} resume ${id}${measuredWhere(options)}${options.results === undefined ? '' : keptWhere(options)}`;

/**
 * Asks the user to set up the next environment of the run. Resolves to true after the user has done so. Resolves to false if there is no
 * terminal or the user declines. The run then waits until it is resumed.
 */
export async function askForEnvironment(
  { run }: RunDocument,
  places: Pick<Places, 'reader'>,
  options: Kept,
  console: Pick<Console, 'say'>,
): Promise<boolean> {
  const label = environmentLabel(run.waiting?.environment ?? {});
  const results = keptWhere(options) || ` --results ${EMBEDDED}`;
  const later = [
    `${COMMAND} resume ${run.id}${measuredWhere(options)}${keptWhere(options)}`,
    `(on another cluster: --elasticsearch URL${results})`,
  ].join('  ');
  if (canAsk()) {
    console.say(`\nThe run waits for ${label}. To resume it later, press Ctrl-C; then run: ${later}`);
    if (await untilEnter(`Set up ${label}, then press Enter: `)) {
      await findResumable(places.reader, run.id);
      return true;
    }
  }
  console.say(
    `\nThe run waits for ${label}. All measurements so far are stored. Set it up, then resume with\n${later}`,
  );
  return false;
}
