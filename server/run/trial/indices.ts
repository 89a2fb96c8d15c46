/**
 * The indices of a trial: created afresh, filled where documents must be there before anything is measured, and removed.
 * What was loaded once may serve several trials (`preload.reuse`): a {@link SharedDataset}.
 */
import { distinctParts, sayAllUnasked } from '../../../common/analysis/unasked';
import type { PreloadSummary } from '../../../common/measurement/trial';
import type { UnaskedPart } from '../../../common/measurement/unasked';
import { DynoError, messageOf, runError } from '../../../common/problem';
import * as api from '../../elasticsearch/api';
import { ask, BAD_ANSWER } from '../../target-cluster/answer';
import { createIndex, dropIndex, type IndexToCreate } from '../../target-cluster/index-lifecycle';
import { unaskedParts } from '../../target-cluster/index-parts';
import { cloneIndex } from '../../target-cluster/maintenance';
import { offersReindex } from '../../target-cluster/reindex';
import { waitUntilQuiet, waitUntilReady } from '../../target-cluster/readiness';
import { orAborted } from '../../target-cluster/or-aborted';
import { fill, fillFrom, type PreloadInput } from './preload';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { isDataStream } from '../../../common/experiment/data-stream';

const READY_TIMEOUT_MS = 60_000;
const QUIET_TIMEOUT_MS = 30_000;

export interface TrialIndicesInput extends PreloadInput {
  /** Of its own indices. */
  names: string[];
  mark: IndexToCreate['mark'];
  /** Undefined where each trial loads its own documents, or none. */
  dataset?: SharedDataset;
}

/** Indices that were loaded once, for trials whose indices and documents are the same. */
export interface SharedDataset {
  names: string[];
  /** Its `documentsKey`. */
  documents: string | null;
  /** Null as long as it is not loaded. */
  loaded: {
    by: string;
    ms: number;
    built: NonNullable<PreloadSummary['built']>;
    unasked: readonly UnaskedPart[];
  } | null;
  /** A dataset that is loaded now, of other indices with the same documents; undefined without one. */
  sameDocuments: () => SharedDataset | undefined;
  /** The cluster makes no copies: each trial loads its own. */
  refused: boolean;
  /** No later trial needs it. */
  isLast: () => boolean;
}

export class TrialIndices {
  readonly names: string[];
  /** Once they are prepared: what they, or those that they were copied from, have beyond the definition. */
  unasked: readonly UnaskedPart[] = [];
  /** What `prepare` has begun to make and nobody has removed. */
  private making: Promise<void> = Promise.resolve();
  private resting: Promise<void> = Promise.resolve();

  constructor(private readonly input: TrialIndicesInput) {
    const { definition, names, dataset } = input;
    this.names = dataset && definition.preload!.reuse === 'same' ? dataset.names : names;
  }

  /** All that may stand because of this trial, the shared dataset included. */
  get all(): string[] {
    return [...new Set([...this.names, ...(this.input.dataset?.names ?? [])])];
  }

  /**
   * Rejects with a DynoError, or with the signal's reason. `null` without preload: then the indices are there, and whether the cluster is
   * at rest {@link atRest} tells.
   */
  async prepare(): Promise<PreloadSummary | null> {
    const { definition, dataset } = this.input;
    const { preload } = definition;
    const begun = performance.now();
    const summary = (
      by: PreloadSummary['by'],
      loadedBy: string,
      built = dataset?.loaded?.built,
    ): PreloadSummary => ({
      documents: preload!.documents,
      by,
      built: built ?? 'load',
      loadedBy,
      ms: Math.round(performance.now() - begun),
    });
    const trial = this.input.mark.trial;
    if (dataset && !dataset.refused) {
      const here = dataset.loaded === null;
      if (here) {
        const built = await this.build(dataset);
        const { unasked } = this;
        dataset.loaded = { by: trial, ms: Math.round(performance.now() - begun), built, unasked };
      }
      this.unasked = dataset.loaded!.unasked;
      if (preload!.reuse === 'same') {
        // Where the definition says what they are to hold, `startCaches` sees to it.
        if (definition.measure.caches === undefined)
          await ask(this.input.connection, api.clearCaches(dataset.names), 'empty the caches');
        return summary(here ? 'load' : 'same', dataset.loaded!.by);
      }
      if (await this.copy(dataset.names)) return summary('copy', dataset.loaded!.by);
      dataset.refused = true;
      this.input.onNote('the cluster cannot copy indices: every trial loads its documents itself');
      await this.drop(dataset.names);
    }
    if (preload) {
      await this.load(this.names);
      return summary('load', trial, 'load');
    }
    await this.create(this.names);
    await this.allocated(this.names);
    this.resting = this.rest();
    // Whoever has failed before does not wait for it.
    this.resting.catch(() => undefined);
    return null;
  }

  /** After {@link prepare}: resolves once nothing is to be measured but the load. Rejects as it does. */
  atRest(): Promise<void> {
    return this.resting;
  }

  /** Removes what no later trial needs; returns the names of what stands on, wanted or not, and tells of the latter. */
  async remove(): Promise<string[]> {
    const { dataset, definition } = this.input;
    // What was just being created would else come after its removal.
    await this.making.catch(() => undefined);
    // No look at a cluster that comes to rest belongs to the next trial.
    await this.resting.catch(() => undefined);
    const isShared = dataset !== undefined && definition.preload!.reuse === 'same';
    const standing = isShared ? [] : await this.drop(this.names);
    if (dataset === undefined || dataset.refused) return standing;
    if (dataset.loaded !== null && !dataset.isLast()) return [...standing, ...dataset.names];
    dataset.loaded = null;
    return [...standing, ...(await this.drop(dataset.names))];
  }

  /** From documents that are there already where the cluster can, through the load generator where it cannot. */
  private async build({ names, sameDocuments }: SharedDataset): Promise<'load' | 'reindex'> {
    const [to] = names as [string];
    const from = sameDocuments()?.names[0];
    if (from === undefined || !(await offersReindex(this.input.connection))) {
      await this.load(names);
      return 'load';
    }
    await this.create(names);
    await this.settle(names);
    await fillFrom(this.input, from, to);
    return 'reindex';
  }

  private async load(names: string[]): Promise<void> {
    await this.create(names);
    await this.settle(names);
    await fill(this.input, names);
  }

  private async create(names: readonly string[]): Promise<void> {
    const { definition, mark, connection, signal } = this.input;
    const make = async (): Promise<void> => {
      for (const wanted of indicesToCreate(definition, names, mark)) {
        signal.throwIfAborted();
        await createIndex(connection, wanted);
      }
    };
    this.making = make();
    await orAborted(this.making, signal);
    this.unasked = await this.look(indicesToCreate(definition, names, mark));
  }

  /** What the target has added to them since the preflight may be other than what it added there. */
  private async look(made: readonly IndexToCreate[]): Promise<UnaskedPart[]> {
    const { definition, connection, onNote } = this.input;
    let parts: UnaskedPart[];
    try {
      parts = distinctParts(await unaskedParts(connection, made));
    } catch (error) {
      if (!(error instanceof DynoError) || error.code !== BAD_ANSWER) throw error;
      onNote(`whether the index is what the definition says is not known: ${messageOf(error)}`);
      return [];
    }
    if (definition.index.templates === 'refuse' && parts.length > 0)
      throw runError(
        'target.templates',
        'index.templates',
        `the target adds to the index what the definition does not ask for: ${sayAllUnasked(parts)}`,
      );
    return parts;
  }

  /** False where the cluster makes no copies; nothing then stands. */
  private async copy(from: readonly string[]): Promise<boolean> {
    const { connection, mark, signal } = this.input;
    const make = async (): Promise<boolean> => {
      for (const [i, name] of this.names.entries()) {
        signal.throwIfAborted();
        if (!(await cloneIndex(connection, from[i]!, name, mark))) return false;
      }
      return true;
    };
    const copying = make();
    this.making = copying.then(() => undefined);
    if (!(await orAborted(copying, signal))) return false;
    await this.settle(this.names);
    return true;
  }

  private async settle(names: readonly string[]): Promise<void> {
    await this.allocated(names);
    await this.rest();
  }

  private async allocated(names: readonly string[]): Promise<void> {
    const { connection, signal, onNote } = this.input;
    const notes = await orAborted(waitUntilReady(connection, names, READY_TIMEOUT_MS), signal);
    notes.forEach(onNote);
  }

  private async rest(): Promise<void> {
    const { connection, signal, onNote } = this.input;
    const { note } = await orAborted(waitUntilQuiet(connection, QUIET_TIMEOUT_MS, signal), signal);
    if (note !== '') onNote(note);
  }

  /** Returns the names of those that could not be removed. */
  private async drop(names: readonly string[]): Promise<string[]> {
    const left: string[] = [];
    for (const name of names) {
      try {
        await dropIndex(this.input.connection, name);
      } catch (error) {
        // What Elasticsearch made by itself under this name is nothing that Dyno would remove later.
        if (!(error instanceof DynoError && error.code === 'target.index-not-ours')) left.push(name);
        this.input.onNote(`${name} could not be removed: ${messageOf(error)}`);
      }
    }
    return left;
  }
}

/** The index, or data stream, of each name. */
export function indicesToCreate(
  { index: own }: CellDefinition,
  names: readonly string[],
  mark: IndexToCreate['mark'],
): IndexToCreate[] {
  const { allocation, settings, mapping, lifecycle } = own;
  const stream = isDataStream(own) ? { stream: lifecycle === undefined ? {} : { lifecycle } } : {};
  return names.map((index, i) => ({
    index,
    ...stream,
    settings:
      typeof allocation === 'object'
        ? {
            ...settings,
            [`routing.allocation.require.${allocation.attribute}`]:
              allocation.values[i % allocation.values.length],
          }
        : settings,
    mapping,
    mark,
  }));
}
