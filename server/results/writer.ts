/** Writes results as they come, without ever holding up the load: what cannot be written now waits in the spool. */
import { isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { DynoError, messageOf, runError, type Problem } from '../../common/problem';
import { deliver, nothing, type Delivery } from './bulk';
import { Spool } from './spool';
import { storedRun, storedSample, storedTrial, type StoredDocument } from './stored';
import { installTemplates, TEMPLATES, type Template } from './templates';

export interface ResultsWriterOptions {
  client: ElasticsearchClient;
  /** Where documents wait while the results cluster is away; made when it is needed. */
  spoolDir: string;
  /** Told of everything that is not as it should be, and that it is well again. */
  onProblem: (problem: Problem) => void;
  /** Samples beyond it are dropped, the oldest first; 256 MB by default. */
  spoolBytes?: number;
  /**
   * Installed before the first document, {@link TEMPLATES} by default; `assumed` where the host has done it with other
   * credentials.
   */
  templates?: readonly Template[] | 'assumed';
}

export interface WriterStats {
  /** In Elasticsearch. */
  written: number;
  /** Waiting on disk now. */
  spooled: number;
  /** Lost because the spool was full, damaged, or could not be written to. */
  dropped: number;
  /** Refused by Elasticsearch for what they are. */
  rejected: number;
}

const FLUSH_MS = 1000;
const FLUSH_DOCUMENTS = 500;
const SPOOL_BYTES = 256 * 1024 ** 2;
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 15_000;
const CLOSE_MS = 5000;
const RETRY_WHILE_FLUSHING_MS = 250;

export class ResultsWriter {
  private readonly client: ElasticsearchClient;
  private readonly onProblem: (problem: Problem) => void;
  private readonly spool: Spool;
  private readonly timer: NodeJS.Timeout;
  private readonly stop = new AbortController();
  private readonly reasons = new Set<string>();
  private readonly templates: readonly Template[];
  private buffer: StoredDocument[] = [];
  private ready: boolean;
  /** Why nothing is sent at the moment; '' while all is well. */
  private hindrance = '';
  private backoffMs = 0;
  private nextTryAt = 0;
  private lastVersion = 0;
  private pumping: Promise<void> | undefined;
  private written = 0;
  private dropped = 0;
  private rejected = 0;

  constructor({
    client,
    spoolDir,
    onProblem,
    spoolBytes = SPOOL_BYTES,
    templates = TEMPLATES,
  }: ResultsWriterOptions) {
    this.client = { request: (request) => client.request({ signal: this.stop.signal, ...request }) };
    this.onProblem = onProblem;
    this.templates = templates === 'assumed' ? [] : templates;
    this.ready = this.templates.length === 0;
    this.spool = new Spool({
      folder: spoolDir,
      boundBytes: spoolBytes,
      onLost: (count, why) => this.lose(count, why),
    });
    this.timer = setInterval(() => void this.pump(), FLUSH_MS);
    this.timer.unref();
  }

  /** Stored, or on disk to be stored later, when it resolves. Rejects with a DynoError when it could be neither. */
  saveRun(run: RunDocument): Promise<void> {
    return this.save(storedRun(run, this.nextVersion()));
  }

  /** As {@link saveRun}. */
  saveTrial(trial: TrialDocument): Promise<void> {
    return this.save(storedTrial(trial, this.nextVersion()));
  }

  /** Takes it and returns at once; it is written in the background within about a second. */
  addSample(sample: SampleDocument): void {
    this.buffer.push(storedSample(sample));
    if (this.buffer.length >= FLUSH_DOCUMENTS) void this.pump();
  }

  /** Tries for at most `timeoutMs` to bring all that waits into Elasticsearch; false if something still waits. */
  async flush(timeoutMs: number): Promise<boolean> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      this.nextTryAt = 0;
      const left = until - Date.now();
      const inTime = await within(this.pump(), Math.max(0, left));
      if (inTime && this.buffer.length === 0 && this.spool.count === 0) return true;
      if (Date.now() + RETRY_WHILE_FLUSHING_MS > until) return false;
      if (inTime) await new Promise((resolve) => setTimeout(resolve, RETRY_WHILE_FLUSHING_MS));
    }
  }

  /** Takes over what earlier processes could not write; resolves to how many documents that are. */
  async drainLeftovers(): Promise<number> {
    const found = await this.spool.adoptLeftovers();
    if (found > 0) {
      this.tell(
        'results.leftovers',
        `${found} documents of an earlier process wait on disk and are written now`,
      );
      void this.pump();
    }
    return found;
  }

  /** Writes what it can in one try, within seconds; the rest stays on disk for the next process, and is told. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    // Twice: samples may have come while the one that runs already was sending.
    for (let round = 0; round < 2; round++) {
      this.nextTryAt = 0;
      await within(this.pump(), CLOSE_MS / 2);
    }
    this.stop.abort();
    await this.pumping;
    if (this.buffer.length > 0) await this.keep('samples', this.takeBuffer());
    const { count } = this.spool;
    await this.spool.close();
    if (count > 0) {
      this.tell(
        'results.waiting',
        `${count} documents wait on disk until the results cluster can be written to again`,
      );
    }
  }

  stats(): WriterStats {
    return {
      written: this.written,
      spooled: this.spool.count,
      dropped: this.dropped,
      rejected: this.rejected,
    };
  }

  /** Later states have higher versions, within this process and, by the clock, after it. */
  private nextVersion(): number {
    this.lastVersion = Math.max(Date.now(), this.lastVersion + 1);
    return this.lastVersion;
  }

  private async save(document: StoredDocument): Promise<void> {
    if (this.hindrance !== '') return await this.keep('documents', [document]);
    const first = await this.send([document]);
    // The host that wrote it before has a clock ahead of ours.
    const again = first.superseded.length > 0 ? await this.send([await this.overtake(document)]) : first;
    if (again.waiting.length > 0) await this.keep('documents', again.waiting);
  }

  /** `document` as the newest state, whatever stands there. */
  private async overtake(document: StoredDocument): Promise<StoredDocument> {
    const { status, body } = await this.client.request<{ _version?: number }>({
      method: 'GET',
      path: `/${document.index}/_doc/${encodeURIComponent(document.id)}`,
      query: { _source: false },
    });
    if (isSuccess(status)) this.lastVersion = Math.max(this.lastVersion, body._version ?? 0);
    return { ...document, version: this.nextVersion() };
  }

  /** Writes the buffer and what waits; one at a time, never rejects. */
  private pump(): Promise<void> {
    this.pumping ??= this.pumpOnce()
      .catch((error: unknown) =>
        this.tell('results.writer-failed', `results could not be written: ${messageOf(error)}`),
      )
      .finally(() => (this.pumping = undefined));
    return this.pumping;
  }

  private async pumpOnce(): Promise<void> {
    const mayTry = (): boolean => this.hindrance === '' || Date.now() >= this.nextTryAt;
    if (mayTry() && this.spool.count > 0) await this.drain();
    while (this.buffer.length > 0) {
      const batch = this.takeBuffer();
      const waiting = mayTry() ? (await this.send(batch)).waiting : batch;
      if (waiting.length > 0) await this.keep('samples', waiting);
    }
  }

  private async drain(): Promise<void> {
    for (let portion = await this.spool.take(); portion !== undefined; portion = await this.spool.take()) {
      const { waiting } = await this.send(portion.documents);
      await this.spool.settle(portion, waiting);
      if (waiting.length > 0) return;
    }
  }

  private takeBuffer(): StoredDocument[] {
    const batch = this.buffer;
    this.buffer = [];
    return batch;
  }

  /** Never rejects: whatever goes wrong, the documents wait. */
  private async send(documents: readonly StoredDocument[]): Promise<Delivery> {
    const delivery = await this.attempt(documents);
    this.written += delivery.written;
    this.reject(delivery.rejected);
    if (delivery.hindrance !== null) this.stepBack(delivery.hindrance);
    else if (this.hindrance !== '') {
      this.hindrance = '';
      this.backoffMs = 0;
      this.tell(
        'results.recovered',
        'the results cluster can be written to again; what waited is written now',
      );
    }
    return delivery;
  }

  private async attempt(documents: readonly StoredDocument[]): Promise<Delivery> {
    try {
      await this.prepare();
      return await deliver(this.client, documents);
    } catch (error) {
      const failed: Problem = { code: 'results.writer-failed', path: '', message: messageOf(error) };
      const hindrance = error instanceof DynoError ? error.problems[0]! : failed;
      return { ...nothing(), waiting: [...documents], hindrance };
    }
  }

  /** Before the first document; without the templates an index would be made with fields guessed from it. */
  private async prepare(): Promise<void> {
    if (this.ready) return;
    try {
      for (const note of await installTemplates(this.client, this.templates))
        this.tell('results.templates', note);
    } catch (error) {
      if (!(error instanceof DynoError) || error.code !== 'results.forbidden') throw error;
      // Whoever may write but not install relies on the host's having installed them.
      this.tell(error.code, `${error.message}; they are taken to be installed`);
    }
    this.ready = true;
  }

  private stepBack(problem: Problem): void {
    if (problem.message !== this.hindrance && !this.stop.signal.aborted) {
      this.onProblem({ ...problem, message: `results wait on disk: ${problem.message}` });
    }
    this.hindrance = problem.message;
    this.backoffMs = Math.min(LONGEST_BACKOFF_MS, Math.max(FIRST_BACKOFF_MS, this.backoffMs * 2));
    this.nextTryAt = Date.now() + this.backoffMs * (0.5 + Math.random() / 2);
  }

  private reject(rejected: Delivery['rejected']): void {
    this.rejected += rejected.length;
    for (const { document, reason } of rejected) {
      // Thousands of samples may fail for one reason; only the numbers in it differ.
      const kind = `${document.index} ${reason.replaceAll(/\d+/g, '#')}`;
      if (this.reasons.has(kind)) continue;
      this.reasons.add(kind);
      this.tell('results.rejected', `${document.index} refuses ${document.id}: ${reason}`);
    }
  }

  private async keep(lane: 'documents' | 'samples', documents: readonly StoredDocument[]): Promise<void> {
    try {
      await this.spool.append(lane, documents);
    } catch (error) {
      const sentence = `the spool cannot be written to: ${messageOf(error)}`;
      if (lane === 'samples') this.lose(documents.length, sentence);
      else throw runError('results.spool-failed', '', `${sentence}; ${this.hindrance}`, error);
    }
  }

  private lose(count: number, why: string): void {
    this.dropped += count;
    this.tell('results.dropped', `${why}: ${count} lost now, ${this.dropped} altogether`);
  }

  private tell(code: string, message: string): void {
    this.onProblem({ code, path: '', message });
  }
}

/** True if `work` ended within `ms`. */
async function within(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const ended = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}

export const createResultsWriter = (options: ResultsWriterOptions): ResultsWriter =>
  new ResultsWriter(options);
