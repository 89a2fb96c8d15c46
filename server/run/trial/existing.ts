/** Existing data that a trial uses instead of new indices. Dyno reads the state of the data, but never creates or removes it. */
import {
  changedSince,
  indicesChanged,
  type ExistingState,
  type ExistingSummary,
} from '../../../common/measurement/existing';
import { formatNumber } from '../../../common/units/format';
import type { TargetConnection } from '../../target-cluster/connection';
import { addressOf, readExisting } from '../../target-cluster/existing';

export interface ExistingInput {
  connection: TargetConnection;
  /** Name of the data in the definition: an index, an alias, a data stream or a pattern. */
  name: string;
  /** Whether tasks of the trial write to the data. */
  isWritten: boolean;
  /** State of the data as the first trial of the run found it. Undefined in that trial. */
  first: ExistingState | undefined;
}

export class ExistingData {
  /** Names by which the load addresses the data. */
  names: readonly string[];
  /** Names of indices that Dyno must remove after a crash. Always empty, because Dyno creates none for existing data. */
  readonly all: readonly string[] = [];
  private found: ExistingState | undefined;

  constructor(private readonly input: ExistingInput) {
    this.names = [input.name];
  }

  get existing(): ExistingData {
    return this;
  }

  get isWritten(): boolean {
    return this.input.isWritten;
  }

  /**
   * Resolves the name to an address that excludes Dyno's own indices. Returns null, because the trial loads no documents. Rejects with a
   * DynoError.
   */
  async prepare(): Promise<null> {
    const { connection, name } = this.input;
    this.names = [await addressOf(connection, name)];
    return null;
  }

  /** Removes nothing, because Dyno did not create the data. */
  remove(): Promise<string[]> {
    return Promise.resolve([]);
  }

  /** Reads the state of the data at the beginning of the trial. Rejects with a DynoError. */
  async look(): Promise<ExistingSummary> {
    const { name, isWritten, first } = this.input;
    this.found = await this.read();
    return { name, ...this.found, written: isWritten, changed: this.othersChanged(first, this.found) };
  }

  /**
   * Describes what other clients have changed in the data; '' if nothing was changed. If the trial writes to the data, the data is compared
   * with its state at the start of the trial; otherwise, at the start of the run. `documents`: number of new documents that this trial has
   * not written. Rejects with a DynoError.
   */
  async changes(documents: number): Promise<string> {
    const { isWritten, first } = this.input;
    const now = await this.read();
    if (!isWritten) return this.othersChanged(first ?? this.found, now);
    const indices = this.found === undefined ? '' : indicesChanged(this.found, now);
    return [
      indices,
      documents === 0 ? '' : `${formatNumber(documents)} documents that the trial did not write`,
    ]
      .filter(Boolean)
      .join(', ');
  }

  private othersChanged(before: ExistingState | undefined, now: ExistingState): string {
    return before === undefined || this.input.isWritten ? '' : changedSince(before, now);
  }

  private read(): Promise<ExistingState> {
    const { connection, isWritten } = this.input;
    return readExisting(connection, this.names.join(), { refreshed: isWritten });
  }
}
