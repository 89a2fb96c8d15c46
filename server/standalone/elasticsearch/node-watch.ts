/** Sees nodes of an embedded cluster that end by themselves, and ends those that hang: the others go on without them. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface WatchedNode {
  name: string;
  /** Settles when its process is gone; never rejects. */
  exit: Promise<void>;
  /** Whether it answers anything at all, within some seconds; never rejects. */
  answers(): Promise<boolean>;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** What is known of its end, such as `with code 137`; ''. */
  lastWords(): Promise<string>;
}

/** A node that is gone and was not asked to go. */
export interface NodeLoss {
  node: string;
  /** In words: which, and why. */
  message: string;
  /** Names of the nodes that go on. */
  left: readonly string[];
}

/** A node is asked this often, ms: seldom enough to cost nothing of what is measured. */
const EVERY_MS = 10_000;
/** One that has not answered so often in a row hangs: a minute, which no overload and no garbage collection takes. */
const MOST_SILENT = 6;

export class NodeWatch {
  /** Resolves to what is said of the last loss, once no node is left. */
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

  /** Told of each loss, past ones included. Returns what ends it. */
  onLoss(listener: (loss: NodeLoss) => void): () => void {
    this.listeners.add(listener);
    this.losses.forEach(listener);
    return () => this.listeners.delete(listener);
  }

  /** What ends from now on was asked to. */
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
      ? `had not answered for ${seconds} s and was ended: it hung`
      : `ended by itself${words === '' ? '' : ` ${words}`}`;
    this.left = this.left.filter((other) => other !== name);
    const rest =
      this.left.length === 0 ? '' : `; ${this.left.join(', ')} ${this.left.length === 1 ? 'goes' : 'go'} on`;
    const loss: NodeLoss = { node: name, message: `the node ${name} ${why}${rest}`, left: this.left };
    this.losses.push(loss);
    for (const listener of this.listeners) listener(loss);
    if (this.left.length === 0) this.resolveEnded(loss.message);
  }
}
