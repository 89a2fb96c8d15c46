/** Rids a target of what runs that were cut off left there: indices and pipelines of trials, and settings that were changed for them. */
import type { RunDocument } from '../../../common/measurement/run';
import { messageOf, type Problem } from '../../../common/problem';
import type { ResultsReader } from '../../results/reader';
import type { ResultsWriter } from '../../results/writer';
import type { Connection } from '../../target-cluster/connection';
import { removeLeftovers } from './recovery';
import { putBackSettings } from '../trial/replaced-settings';
import { targetOf } from '../record/record';

export interface CleanUpDependencies {
  reader: ResultsReader;
  writer: ResultsWriter;
  onProblem: (problem: Problem) => void;
}

const tellerOf =
  ({ onProblem }: CleanUpDependencies) =>
  (message: string): void =>
    onProblem({ code: 'run.leftovers', path: '', message });

/** Of all runs that have ended, and of `own`. What cannot be done is told; rejects when the target cannot be asked. */
export async function cleanUpTarget(
  connection: Connection,
  dependencies: CleanUpDependencies,
  own = '',
): Promise<void> {
  const { reader, writer } = dependencies;
  const notes = [
    ...(await removeLeftovers(connection, reader, writer)),
    ...(await putBackSettings(connection, reader, writer, own)),
  ];
  notes.forEach(tellerOf(dependencies));
}

/** Whether something of the run may stand in its target. */
export const leavesSomething = ({ indices, pipelines, replaced }: RunDocument['run']): boolean =>
  indices.length > 0 || pipelines !== undefined || replaced !== undefined;

/** Before the run is forgotten, after which nobody knows whose they are, nor what the settings were. Never rejects. */
export async function cleanUpBeforeRemoval(
  document: RunDocument,
  connect: (target: string) => Promise<Connection>,
  dependencies: CleanUpDependencies,
): Promise<void> {
  const { run } = document;
  if (!leavesSomething(run)) return;
  const target = targetOf(document);
  try {
    const connection = await connect(target);
    try {
      await cleanUpTarget(connection, dependencies, run.id);
    } finally {
      await connection.close();
    }
  } catch (error) {
    const settings = run.replaced ? `; its settings were ${JSON.stringify(run.replaced.settings)}` : '';
    tellerOf(dependencies)(
      `run ${run.id} is removed, what it left in ${target} is not (${[...run.indices, ...(run.pipelines ?? [])].join(', ')}${settings}): ${messageOf(error)}`,
    );
  }
}
