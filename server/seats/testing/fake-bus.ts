/**
 * Replaces in tests the index through which the processes of a run exchange messages. Messages are in memory, for processes that the test
 * simulates.
 */
import { runError } from '../../../common/problem';
import type { Bus, WorkerCard } from '../bus';

type Entry = Parameters<Bus['put']>[1];

export class FakeBus implements Bus {
  readonly index = 'dyno-seats-fake';
  readonly entries = new Map<string, Entry>();
  /** Whether the simulated results cluster does not answer in time. */
  isAway = false;
  isGone = false;

  private check(): Promise<void> {
    if (this.isGone) return Promise.reject(runError('seats.over', this.index, 'it is gone'));
    if (this.isAway) return Promise.reject(runError('elasticsearch.timeout', '', 'it is away'));
    return Promise.resolve();
  }

  async create(id: string, entry: Entry): Promise<boolean> {
    await this.check();
    if (this.entries.has(id)) return false;
    this.entries.set(id, entry);
    return true;
  }

  async put(id: string, entry: Entry): Promise<void> {
    await this.check();
    this.entries.set(id, entry);
  }

  async read<T extends Entry>(ids: readonly string[]): Promise<Map<string, T>> {
    await this.check();
    return new Map(ids.flatMap((id) => (this.entries.has(id) ? [[id, this.entries.get(id) as T]] : [])));
  }

  async workers(): Promise<WorkerCard[]> {
    await this.check();
    return [...this.entries.values()].filter((entry) => entry.kind === 'worker');
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.check();
    for (const id of ids) this.entries.delete(id);
  }

  async time(): Promise<number> {
    await this.check();
    return Date.now();
  }

  async close(): Promise<void> {
    this.isGone = true;
    await Promise.resolve();
  }
}
