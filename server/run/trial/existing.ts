/** The existing data that a trial goes to, in place of indices of its own: looked at, and never made or removed. */
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
  /** As the definition has it. */
  name: string;
  /** The trial's tasks write to it. */
  isWritten: boolean;
  /** As the first trial of the run found it; undefined in that one. */
  first: ExistingState | undefined;
}

export class ExistingData {
  /** As the load addresses it. */
  names: readonly string[];
  /** Nothing stands because of the trial. */
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

  /** It is as it was found: nothing is loaded into it. Finds out what is Dyno's own in it. Rejects with a DynoError. */
  async prepare(): Promise<null> {
    const { connection, name } = this.input;
    this.names = [await addressOf(connection, name)];
    return null;
  }

  /** It stays as it is: nothing of it is removed. */
  remove(): Promise<string[]> {
    return Promise.resolve([]);
  }

  /** What the trial begins with. Rejects with a DynoError. */
  async look(): Promise<ExistingSummary> {
    const { name, isWritten, first } = this.input;
    this.found = await this.read();
    return { name, ...this.found, written: isWritten, changed: this.othersChanged(first, this.found) };
  }

  /**
   * What others changed in it since the run began, or since the trial did where the trial itself wrote; '' for nothing. `documents`:
   * more of them than the trial can have written. Rejects with a DynoError.
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
