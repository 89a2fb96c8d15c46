/** Where the load of each cell goes, and how many threads generate it: a factor may vary both. */
import { availableParallelism } from 'node:os';
import type { Plan } from '../../../common/experiment/plan';
import type { LoadTarget } from '../../load/contract';
import { defaultWorkers } from '../../load/shares';
import type { Connection } from '../../target-cluster/connection';
import { chooseLoadNodes, type LoadNodes } from '../../target-cluster/load-nodes';
import type { TargetNode } from '../../target-cluster/nodes';
import { loadJob, type CellLoad } from '../trial/trials';

export interface CellLoads {
  /** In the order of the plan's cells. */
  cells: CellLoad[];
  /** Base URLs of all nodes that the load of any cell goes to. */
  urls: string[];
  /** Why the load does not go where it was asked to. */
  notes: string[];
}

export interface CellLoadsInput {
  plan: Pick<Plan, 'cells'>;
  /** Folder that the definition's files are relative to. */
  folder: string;
  connection: Connection;
  allowedHosts?: readonly string[];
  /** Of every cell; by default as many as its clients and the `cores` of this machine suit. */
  workers?: number;
  cores?: number;
}

/** `nodes`: those of the target. */
export async function chooseCellLoads(
  { plan, folder, connection, allowedHosts, workers, cores = availableParallelism() }: CellLoadsInput,
  nodes: readonly TargetNode[],
): Promise<CellLoads> {
  const spreads = new Set(plan.cells.map(({ definition }) => definition.spread));
  const chosen = new Map<string, LoadNodes>();
  for (const spread of spreads)
    chosen.set(spread, await chooseLoadNodes(connection, nodes, spread, allowedHosts));
  const cells = plan.cells.map(({ definition }): CellLoad => {
    const target: LoadTarget = {
      nodes: chosen.get(definition.spread)!.urls,
      headers: { ...connection.headers },
      ca: connection.ca,
      verifyCertificates: connection.verifyCertificates,
      requestTimeoutMs: 0,
    };
    const job = loadJob(definition, { indices: [], target, folder, trialSeed: '' });
    return { target, workers: workers ?? defaultWorkers(job, cores) };
  });
  const all = [...chosen.values()];
  return {
    cells,
    urls: [...new Set(all.flatMap(({ urls }) => urls))],
    notes: [...new Set(all.flatMap(({ notes }) => notes))],
  };
}
