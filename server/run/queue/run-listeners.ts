/** Those who follow runs: they are told that something of a run has changed, and read what. */
import type { RunService } from './service';

type Listener = Parameters<RunService['follow']>[1];
type Change = Parameters<Listener>[0];

export class RunListeners {
  private readonly listeners = new Map<string, Set<Listener>>();

  /** What a listener throws is told to `onError` and keeps nobody else from hearing. */
  constructor(private readonly onError: (error: unknown) => void) {}

  /** Returns what ends it. */
  follow(runId: string, listener: Listener): () => void {
    const own = this.listeners.get(runId) ?? new Set();
    this.listeners.set(runId, own.add(listener));
    return () => {
      own.delete(listener);
      if (own.size === 0 && this.listeners.get(runId) === own) this.listeners.delete(runId);
    };
  }

  tell(runId: string, change: Change): void {
    for (const listener of this.listeners.get(runId) ?? []) {
      try {
        listener(change);
      } catch (error) {
        this.onError(error);
      }
    }
  }
}
