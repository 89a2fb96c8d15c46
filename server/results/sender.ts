/** Sends documents to the results cluster. Reports the documents that the cluster refuses permanently. */
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import { DynoError, messageOf, type Problem } from '../../common/problem';
import { deliver, nothing, type Delivery } from './bulk';
import type { StoredDocument } from './stored';
import { installTemplates, type Template } from './templates';

export interface SenderOptions {
  /** Templates that are installed before the first document is sent. */
  templates: readonly Template[];
  report: (code: string, message: string) => void;
}

export class DocumentSender {
  written = 0;
  rejected = 0;
  private isReady: boolean;
  private readonly reasons = new Set<string>();

  constructor(private readonly options: SenderOptions) {
    this.isReady = options.templates.length === 0;
  }

  /**
   * Sends documents. Never rejects: after any failure, the documents are returned as `waiting`. If `signal` is aborted, stops sending and
   * reports the signal's reason.
   */
  async send(
    documents: readonly StoredDocument[],
    given: ElasticsearchClient,
    { signal, timeoutMs }: { signal: AbortSignal; timeoutMs?: number },
  ): Promise<Delivery> {
    const client = withDefaults(given, { signal });
    const work = async (): Promise<Delivery> => {
      await this.prepare(client);
      return await deliver(client, documents, timeoutMs);
    };
    try {
      const delivery = await unlessAborted(work(), signal);
      this.written += delivery.written;
      this.reject(delivery.rejected);
      return delivery;
    } catch (thrown) {
      const error: unknown = signal.aborted ? signal.reason : thrown;
      const failed: Problem = { code: 'results.writer-failed', path: '', message: messageOf(error) };
      const hindrance = error instanceof DynoError ? error.problems[0]! : failed;
      return { ...nothing(), waiting: [...documents], hindrance };
    }
  }

  /** Installs the templates. Without them, Elasticsearch would guess the fields of a new index from its first document. */
  private async prepare(client: ElasticsearchClient): Promise<void> {
    if (this.isReady) return;
    try {
      for (const note of await installTemplates(client, this.options.templates))
        this.options.report('results.templates', note);
    } catch (error) {
      if (!(error instanceof DynoError) || error.code !== 'results.forbidden') throw error;
      // Some credentials may write documents but not install templates. In that case, the host must have installed the templates.
      this.options.report(error.code, `${error.message}; Dyno assumes that they are installed`);
    }
    this.isReady = true;
  }

  private reject(rejected: Delivery['rejected']): void {
    this.rejected += rejected.length;
    for (const { document, reason } of rejected) {
      // Reports each reason only once, without its numbers: thousands of samples may fail for the same reason.
      const kind = `${document.index} ${reason.replaceAll(/\d+/g, '#')}`;
      if (this.reasons.has(kind)) continue;
      this.reasons.add(kind);
      this.options.report('results.rejected', `${document.index} refuses ${document.id}: ${reason}`);
    }
  }
}

/** Settles as `work` does. Rejects as soon as `signal` is aborted, even if the client ignores the signal. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });
  return await Promise.race([work, aborted]);
}
