/** Connections of a run to the clusters from which its trials copy documents (`preload.from-target`). */
import { DynoError } from '../../common/problem';
import { formatDuration } from '../../common/units/format';
import type { Connection, TargetConnection } from '../target-cluster/connection';
import { PatientConnection } from '../target-cluster/patience';

export interface SourceClustersInput {
  /** Connects to the target with this name. Rejects with a DynoError, such as `target.not-found`. */
  connect: (name: string) => Promise<Connection>;
  /** Maximum time that a request waits for an unavailable cluster, in ms. */
  withinMs: number;
  /** Once this signal is aborted, no request waits any more. */
  signal: AbortSignal;
  onNote: (message: string) => void;
}

/** Returns a function that rethrows an error. An error about an unknown target then also names the key of the definition. */
const inDefinition =
  (name: string) =>
  (error: unknown): never => {
    if (!(error instanceof DynoError) || error.code !== 'target.not-found') throw error;
    const problems = error.problems.map((own) => ({ ...own, path: 'preload.from-target', found: name }));
    throw new DynoError(error.kind, problems, { cause: error });
  };

export class SourceClusters {
  private readonly opened = new Map<string, Promise<Connection>>();

  constructor(private readonly input: SourceClustersInput) {}

  /** Returns a connection to the target with this name, whose requests wait while the cluster is unavailable. Rejects with a DynoError. */
  async to(name: string): Promise<TargetConnection> {
    const { connect, withinMs, signal, onNote } = this.input;
    const known = this.opened.get(name);
    const opening = known ?? connect(name).catch(inDefinition(name));
    this.opened.set(name, opening);
    return new PatientConnection(await opening, {
      withinMs,
      signal,
      onBack: ({ since, until, why }) =>
        onNote(
          `${name} accepted no requests for ${formatDuration(until - since)}, and the copy waited: ${why}`,
        ),
    });
  }

  /** Closes all connections. Never rejects. */
  async close(): Promise<void> {
    for (const opening of this.opened.values())
      await opening.then((connection) => connection.close()).catch(() => undefined);
    this.opened.clear();
  }
}
