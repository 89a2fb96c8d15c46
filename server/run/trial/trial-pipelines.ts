/** The ingest pipelines of a trial whose lines the target parses: one for each such task, made for it and removed after it. */
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { messageOf } from '../../../common/problem';
import type { Connection } from '../../target-cluster/connection';
import {
  createIngestPipeline,
  dropIngestPipeline,
  readPipelines,
  type PipelineCounters,
} from '../../target-cluster/ingest-pipelines';
import type { IndexMark } from '../../target-cluster/mark';
import { orAborted } from './or-aborted';
import { GROK_TAG, parsedByTarget, pipelineBody } from './parse-job';

export interface TrialPipelinesInput {
  definition: CellDefinition;
  connection: Connection;
  mark: Omit<IndexMark, 'created'>;
  signal: AbortSignal;
  onNote: (message: string) => void;
}

export class TrialPipelines {
  /** By task. */
  readonly names: ReadonlyMap<string, string>;
  private making: Promise<void> = Promise.resolve();

  constructor(private readonly input: TrialPipelinesInput) {
    const { definition, mark } = input;
    this.names = new Map(
      parsedByTarget(definition).map(({ task }) => [task.name, `dyno-${mark.trial}-${task.name}`] as const),
    );
  }

  get all(): string[] {
    return [...this.names.values()];
  }

  /** Rejects with a DynoError, or with the signal's reason. */
  async prepare(): Promise<void> {
    const { definition, connection, mark, signal } = this.input;
    const make = async (): Promise<void> => {
      for (const { task, parse } of parsedByTarget(definition)) {
        signal.throwIfAborted();
        await createIngestPipeline(connection, this.names.get(task.name)!, pipelineBody(parse), mark);
      }
    };
    this.making = make();
    await orAborted(this.making, signal);
  }

  /** What the target has counted of them so far; null where that cannot be read. */
  async counters(): Promise<PipelineCounters | null> {
    try {
      return await readPipelines(this.input.connection, this.all, GROK_TAG);
    } catch (error) {
      this.input.onNote(`no ingest statistics: ${messageOf(error)}`);
      return null;
    }
  }

  /** Returns the names of those that stand on, for they could not be removed, and tells of them. */
  async remove(): Promise<string[]> {
    // What was just being made would else come after its removal.
    await this.making.catch(() => undefined);
    const standing: string[] = [];
    for (const name of this.all) {
      try {
        await dropIngestPipeline(this.input.connection, name);
      } catch (error) {
        standing.push(name);
        this.input.onNote(`the ingest pipeline ${name} could not be removed: ${messageOf(error)}`);
      }
    }
    return standing;
  }
}
