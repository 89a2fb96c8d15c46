/**
 * The indices of a trial: creates them, loads the documents of `preload`, and removes the indices. Several trials may use one
 * {@link SharedDataset} (`preload.reuse`).
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
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { TargetConnection } from '../../target-cluster/connection';
import type { SourceClusters } from '../source-clusters';
import { beginRestore, waitUntilRestored } from '../../target-cluster/restore';
import { countDocuments } from '../../target-cluster/snapshot';
import { copiedFrom } from '../../../common/experiment/preload';
import type { FromSnapshot } from '../../../common/experiment/definition';
import { readIndexBody } from '../../target-cluster/index-body';
import { offersReindex } from '../../target-cluster/reindex';
import { waitUntilQuiet, waitUntilReady } from '../../target-cluster/readiness';
import { orAborted } from '../../target-cluster/or-aborted';
import { comeToRest, copyExisting, fill, fillFrom, type PreloadInput } from './preload';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { isDataStream } from '../../../common/experiment/data-stream';

const READY_TIMEOUT_MS = 60_000;
const QUIET_TIMEOUT_MS = 30_000;

type Built = NonNullable<PreloadSummary['built']>;

export interface TrialIndicesInput extends PreloadInput {
  /** Names of the trial's own indices. */
  names: string[];
  mark: IndexToCreate['mark'];
  /** The dataset that the trial shares with others. Undefined if each trial loads its own documents, or none. */
  dataset?: SharedDataset;
  sources: Pick<SourceClusters, 'to'>;
}

/** Indices with documents that are loaded once and used by all trials that need the same indices and documents. */
export interface SharedDataset {
  names: string[];
  /**
   * Key for the content: datasets with the same documents have the same key ({@link documentsKey}). Null if documents cannot be copied from
   * another dataset.
   */
  documents: string | null;
  /** State of the loaded indices; null until they are loaded. */
  loaded: {
    by: string;
    ms: number;
    built: Built;
    unasked: readonly UnaskedPart[];
    documents: number;
  } | null;
  /** Returns another loaded dataset with the same documents, whose indices have other settings. Undefined if no such dataset exists. */
  sameDocuments: () => SharedDataset | undefined;
  /** Whether the cluster refused to clone indices. Each trial then loads its own documents. */
  refused: boolean;
  /** Returns whether no later trial needs the dataset. */
  isLast: () => boolean;
}

export class TrialIndices {
  readonly names: string[];
  /**
   * Settings and mappings that the indices have although the definition does not contain them, such as those from index templates. Known
   * after `prepare`. If the indices are clones, these are the settings and mappings of the original indices.
   */
  unasked: readonly UnaskedPart[] = [];
  /** Number of documents that were loaded or copied for this trial. */
  private documents = 0;
  /** Settles when no index of this trial is being created any more. */
  private making: Promise<void> = Promise.resolve();
  /** Settles when merges and shard movements in the cluster have ended. */
  private resting: Promise<void> = Promise.resolve();

  constructor(private readonly input: TrialIndicesInput) {
    const { definition, names, dataset } = input;
    this.names = dataset && definition.preload!.reuse === 'same' ? dataset.names : names;
  }

  /** Names of all indices that may exist because of this trial, including those of the shared dataset. */
  get all(): string[] {
    return [...new Set([...this.names, ...(this.input.dataset?.names ?? [])])];
  }

  /**
   * Creates the indices and loads the documents. Without documents to load, returns null as soon as the indices exist; {@link atRest} then
   * resolves once the cluster is quiet. Rejects with a DynoError, or with the signal's reason.
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
      documents: dataset?.loaded?.documents ?? this.documents,
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
        const { documents } = this;
        dataset.loaded = { by: trial, ms: Math.round(performance.now() - begun), built, unasked, documents };
      }
      this.unasked = dataset.loaded!.unasked;
      if (preload!.reuse === 'same') {
        // If the definition has `measure.caches`, `startCaches` clears the caches.
        if (definition.measure.caches === undefined)
          await ask(this.input.connection, api.clearCaches(dataset.names), 'empty the caches');
        return summary(here ? 'load' : 'same', dataset.loaded!.by);
      }
      if (await this.copy(dataset.names)) return summary('copy', dataset.loaded!.by);
      dataset.refused = true;
      this.input.onNote('the cluster cannot clone indices, so every trial loads its own documents');
      await this.drop(dataset.names);
    }
    if (preload) return summary('load', trial, await this.load(this.names));
    await this.create(this.names);
    await this.allocated(this.names);
    this.resting = this.rest();
    // If the trial fails earlier, nobody awaits this promise, and its rejection must not count as unhandled.
    this.resting.catch(() => undefined);
    return null;
  }

  /**
   * Resolves once merges and shard movements in the cluster have ended. Call it after {@link prepare}. Rejects with the same errors as
   * `prepare`.
   */
  atRest(): Promise<void> {
    return this.resting;
  }

  /**
   * Removes the indices that no later trial needs. Adds a note for each one that cannot be removed. Returns the names of all indices that
   * remain.
   */
  async remove(): Promise<string[]> {
    const { dataset, definition } = this.input;
    // Waits until the creation in progress has ended. Otherwise it could create an index after its removal.
    await this.making.catch(() => undefined);
    // Waits until the cluster is quiet. Otherwise the requests that check this could continue into the next trial.
    await this.resting.catch(() => undefined);
    const isShared = dataset !== undefined && definition.preload!.reuse === 'same';
    const remaining = isShared ? [] : await this.drop(this.names);
    if (dataset === undefined || dataset.refused) return remaining;
    if (dataset.loaded !== null && !dataset.isLast()) return [...remaining, ...dataset.names];
    dataset.loaded = null;
    return [...remaining, ...(await this.drop(dataset.names))];
  }

  /**
   * Loads the dataset. Reindexes from a dataset with the same documents, if one is loaded and the cluster supports reindexing. Otherwise
   * loads the documents with the load generator.
   */
  private async build({ names, sameDocuments }: SharedDataset): Promise<Built> {
    const [to] = names as [string];
    const from = sameDocuments()?.names[0];
    if (from === undefined || !(await offersReindex(this.input.connection))) {
      return await this.load(names);
    }
    await this.create(names);
    await this.settle(names);
    await fillFrom(this.input, from, to);
    this.documents = this.input.definition.preload!.documents!;
    return 'reindex';
  }

  private async load(names: string[]): Promise<Built> {
    const {
      documents = 0,
      'from-index': original,
      'from-snapshot': snapshot,
    } = this.input.definition.preload!;
    if (snapshot !== undefined) {
      this.documents = await this.restore(snapshot, names[0]!);
      return 'snapshot';
    }
    await this.create(names);
    await this.settle(names);
    if (original === undefined) {
      await fill(this.input, names);
      this.documents = documents;
      return 'load';
    }
    this.documents = await copyExisting(this.input, await sourceOf(this.input), names[0]!);
    return 'existing';
  }

  /** Restores the index of a snapshot under the name `to`. Resolves to the number of its documents. */
  private async restore(from: FromSnapshot, to: string): Promise<number> {
    const { connection, definition, mark, signal, onNote, onDoing } = this.input;
    const [{ settings } = { settings: {} }] = indicesToCreate(definition, [to], mark);
    signal.throwIfAborted();
    this.making = beginRestore(connection, from, { to, settings, mark });
    await orAborted(this.making, signal);
    const doing = `restores ${copiedFrom(definition.preload!)}`;
    onDoing(doing);
    try {
      const waiting = waitUntilRestored(connection, to, {
        signal,
        onRestored: (share) => onDoing(`${doing}: ${share}`),
      });
      (await orAborted(waiting, signal)).forEach(onNote);
      await comeToRest(this.input, [to]);
    } finally {
      onDoing('');
    }
    return await countDocuments(connection, [to]);
  }

  private async create(names: readonly string[]): Promise<void> {
    const { definition, mark, connection, signal } = this.input;
    const asked = await withOriginalMapping(definition, await sourceOf(this.input));
    const made = indicesToCreate(asked, names, mark);
    const make = async (): Promise<void> => {
      for (const wanted of made) {
        signal.throwIfAborted();
        await createIndex(connection, wanted);
      }
    };
    this.making = make();
    await orAborted(this.making, signal);
    this.unasked = await this.look(made);
  }

  /**
   * Returns settings and mappings that index templates of the target added to the indices. The templates may have changed since the
   * preflight.
   */
  private async look(made: readonly IndexToCreate[]): Promise<UnaskedPart[]> {
    const { definition, connection, onNote } = this.input;
    let parts: UnaskedPart[];
    try {
      parts = distinctParts(await unaskedParts(connection, made));
    } catch (error) {
      if (!(error instanceof DynoError) || error.code !== BAD_ANSWER) throw error;
      onNote(`it is unknown whether the index matches the definition: ${messageOf(error)}`);
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

  /** Clones the indices and returns true. If the cluster cannot clone, removes any clones and returns false. */
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

  /**
   * Removes indices. Adds a note for each index that cannot be removed. Returns the names of these indices. The result does not contain
   * indices that belong to somebody else, because Dyno never removes such indices.
   */
  private async drop(names: readonly string[]): Promise<string[]> {
    const left: string[] = [];
    for (const name of names) {
      try {
        await dropIndex(this.input.connection, name);
      } catch (error) {
        // Somebody else's bulk request may have made Elasticsearch create an index with this name. Dyno never removes indices without its
        // mark, so trying again would not help.
        if (!(error instanceof DynoError && error.code === 'target.index-not-ours')) left.push(name);
        this.input.onNote(`${name} could not be removed: ${messageOf(error)}`);
      }
    }
    return left;
  }
}

/** Returns the cluster with the index of `preload.from-index`: the target, unless the definition names another one. */
export const sourceOf = async ({
  definition: { preload },
  connection,
  sources,
}: Pick<TrialIndicesInput, 'definition' | 'connection' | 'sources'>): Promise<TargetConnection> =>
  preload?.['from-target'] === undefined ? connection : await sources.to(preload['from-target']);

/**
 * Returns the definition. If it contains no mapping and the trial copies an index (`preload.from-index`), the mapping and analysis settings
 * of that index are added. `source`: the cluster of that index.
 */
export async function withOriginalMapping(
  definition: CellDefinition,
  source: ElasticsearchClient,
): Promise<CellDefinition> {
  const original = definition.preload?.['from-index'];
  if (original === undefined || Object.keys(definition.index.mapping).length > 0) return definition;
  const { mapping, settings } = await readIndexBody(source, original);
  return {
    ...definition,
    index: { ...definition.index, mapping, settings: { ...settings, ...definition.index.settings } },
  };
}

/** Returns the index or data stream that must be created for each name. */
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
