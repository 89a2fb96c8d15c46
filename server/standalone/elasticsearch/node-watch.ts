/** Detects nodes of an embedded cluster that end unexpectedly, and kills nodes that hang. The other nodes continue. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface WatchedNode {
  name: string;
  /** Settles when the process of the node has ended. Never rejects. */
  exit: Promise<void>;
  /** Resolves to whether the node responds to a request within a few seconds. Never rejects. */
  answers(): Promise<boolean>;
  /** Kills the process of the node. */
  kill(): Promise<void>;
  /** Resolves to a phrase about the exit status of the process, such as `with code 137`; '' if unknown. */
  lastWords(): Promise<string>;
}

/** A node that ended unexpectedly. */
export interface NodeLoss {
  node: string;
  /** Sentence that names the node and the reason. */
  message: string;
  /** Names of the nodes that are still running. */
  left: readonly string[];
}

/** Interval between two checks of a node, in ms. It is long enough not to affect a measurement. */
const EVERY_MS = 10_000;
/**
 * Number of consecutive checks without a response after which a node counts as hung. The checks together take a minute, which is longer
 * than any overload or GC pause.
 */
const MOST_SILENT = 6;

export class NodeWatch {
  /** Resolves when no node is running any more. The value is the message about the node that ended last. */
  readonly ended: Promise<string>;
  private readonly losses: NodeLoss[] = [];
  private readonly listeners = new Set<(loss: NodeLoss) => void>();
  private readonly stopping = new AbortController();
  private left: readonly string[];
  private resolveEnded!: (message: string) => void;

  constructor(
    nodes: readonly WatchedNode[],
    private readonly everyMs = EVERY_MS,
  ) {
    this.ended = new Promise((resolve) => (this.resolveEnded = resolve));
    this.left = nodes.map(({ name }) => name);
    for (const node of nodes) void this.follow(node);
  }

  /**
   * Calls `listener` for each node that ends unexpectedly, including those that ended before this call. Returns a function that removes the
   * listener.
   */
  onLoss(listener: (loss: NodeLoss) => void): () => void {
    this.listeners.add(listener);
    this.losses.forEach(listener);
    return () => this.listeners.delete(listener);
  }

  /** Stops watching the nodes. Called before the nodes are stopped on purpose. */
  stop(): void {
    this.stopping.abort();
  }

  private async follow(node: WatchedNode): Promise<void> {
    let gone = false;
    const exit = node.exit.then(() => (gone = true));
    let hung = false;
    for (let silent = 0; !gone && !this.stopping.signal.aborted;) {
      const pause = sleep(this.everyMs, undefined, { signal: this.stopping.signal, ref: false });
      await Promise.race([exit, pause.catch(() => undefined)]);
      if (gone || this.stopping.signal.aborted) break;
      silent = (await node.answers()) ? 0 : silent + 1;
      if (silent < MOST_SILENT || gone) continue;
      hung = true;
      await node.kill();
    }
    await exit;
    if (!this.stopping.signal.aborted) await this.lose(node, hung);
  }

  private async lose(node: WatchedNode, hung: boolean): Promise<void> {
    const { name } = node;
    const words = hung ? '' : await node.lastWords();
    const seconds = (MOST_SILENT * this.everyMs) / 1000;
    const why = hung
      ? `hung (no answer for ${seconds} s) and was killed`
      : `ended unexpectedly${words === '' ? '' : ` ${words}`}`;
    this.left = this.left.filter((other) => other !== name);
    const rest = this.left.length === 0 ? '' : `; still running: ${this.left.join(', ')}`;
    const loss: NodeLoss = { node: name, message: `the node ${name} ${why}${rest}`, left: this.left };
    this.losses.push(loss);
    for (const listener of this.listeners) listener(loss);
    if (this.left.length === 0) this.resolveEnded(loss.message);
  }
}
