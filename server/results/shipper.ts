/** Ships the contents of the journal to the results cluster. After each failure, waits longer before the next attempt. */
import { DynoError, messageOf, runError, type Problem } from '../../common/problem';
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import { plural } from '../../common/units/format';
import * as api from '../elasticsearch/api';
import { askIfThere } from './answer';
import type { Delivery } from './bulk';
import type { Journal, Portion } from './journal';
import { LateDocuments, type Withheld } from './late-documents';
import { Outage } from './outage';
import { writeResultsFile } from './results-file';
import type { DocumentSender } from './sender';
import { runIdOf, type StoredDocument } from './stored';
import { endsWithin } from '../waiting';
import type { Versions } from './versions';

export interface ShipperOptions {
  client: ElasticsearchClient;
  journal: Journal;
  sender: DocumentSender;
  versions: Versions;
  /** Folder for files with documents that must not be sent. They would replace documents of a process that took over the run. */
  keptFolder: string;
  onProblem: (problem: Problem) => void;
}

/**
 * A document that has waited on disk longer than this, in ms, is compared with the stored document before it is sent. Another process may
 * have taken over the run and replaced the document. A takeover requires that the run's process was silent for at least this time.
 */
const UNCONTESTED_MS = 30_000;
/**
 * Timeout of the first attempt, in ms. Later attempts have a longer one. If a request is lost, the short timeout limits the delay of the
 * other documents.
 */
const FIRST_TIMEOUT_MS = 10_000;
/**
 * If a save stops waiting for the response to a request that was sent at least this long ago, in ms, the results cluster counts as
 * unavailable.
 */
const LATE_MS = 500;

export class Shipper {
  readonly outage = new Outage();
  /**
   * Number of documents that were written to files instead of the results cluster, because they would have replaced documents of another
   * process.
   */
  withheld = 0;
  private readonly stop = new AbortController();
  private readonly client: ElasticsearchClient;
  private round: Promise<void> | undefined;
  /** The current request, and the time at which it was sent. */
  private attempt: { cut: AbortController; at: number } | undefined;
  /** Whether a save has stopped waiting for the response to the current request. False again after the next response. */
  private isLate = false;

  constructor(private readonly options: ShipperOptions) {
    this.client = withDefaults(options.client, { signal: this.stop.signal });
  }

  /** Whether the results cluster seems unavailable: the last attempt failed, or the current request has waited long for its response. */
  get isAway(): boolean {
    return this.outage.reason !== '' || this.isLate;
  }

  /**
   * Makes the next call of {@link ship} try at once, without the pause after a failure. Aborts the current request if it has waited long
   * for its response: the request may be lost, and repeating it is harmless.
   */
  tryNow(): void {
    this.outage.tryNow();
    if (this.isLate)
      this.attempt?.cut.abort(runError('results.slow', '', 'the results cluster has not answered in time'));
  }

  /** Ships all documents that are in the journal at this moment. Never rejects. */
  async shipAll(): Promise<void> {
    // A call of `ship` that is already in progress may have taken its last documents from the journal before this call.
    await this.round;
    await this.ship();
  }

  /** Ships all documents, but waits at most `ms`. */
  async shipWithin(ms: number): Promise<void> {
    if (await endsWithin(this.shipAll(), Math.max(0, ms))) return;
    this.isLate ||= this.attempt !== undefined && performance.now() - this.attempt.at >= LATE_MS;
  }

  /**
   * Sends documents from the journal until it is empty or the cluster fails. If this is already in progress, returns the same promise.
   * Never rejects.
   */
  ship(): Promise<void> {
    this.round ??= this.shipRound()
      .catch((error: unknown) =>
        this.report('results.writer-failed', `results could not be written: ${messageOf(error)}`),
      )
      .finally(() => (this.round = undefined));
    return this.round;
  }

  /** Cancels the current request. Its documents remain in the journal. */
  async close(): Promise<void> {
    this.stop.abort();
    await this.round;
  }

  /**
   * Sends one document directly, without the journal. Used to change documents of other processes: such a change must be sent now or not at
   * all.
   */
  sendAlone(document: StoredDocument): Promise<Delivery> {
    return this.options.sender.send([document], this.client, { signal: this.stop.signal });
  }

  private async shipRound(): Promise<void> {
    const { journal } = this.options;
    const late = new LateDocuments(this.client);
    while (!this.stop.signal.aborted) {
      await journal.commit();
      if (!this.outage.mayTry) return;
      const portion = await journal.take();
      if (portion === undefined) return;
      const isContested = performance.now() - portion.segment.since > UNCONTESTED_MS;
      const waiting = isContested
        ? await this.sendLate(portion, late)
        : await this.sendSoon(portion.documents);
      await journal.settle(portion, waiting);
      if (waiting.length > 0) return;
    }
  }

  /**
   * Sends documents that have waited only briefly. They need not be compared with the stored documents. Returns those that could not be
   * stored and must be sent again.
   */
  private async sendSoon(documents: readonly StoredDocument[]): Promise<StoredDocument[]> {
    const { waiting, superseded } = await this.send(documents);
    return [...waiting, ...(await this.sendOvertaking(superseded))];
  }

  /**
   * Sends documents that have waited for long. They are first compared with the stored documents, because another process may have changed
   * their runs. Returns those that could not be stored and must be sent again.
   */
  private async sendLate({ documents }: Portion, late: LateDocuments): Promise<StoredDocument[]> {
    const judged = await this.orStepBack(() => late.judge(documents));
    if (judged === undefined) return documents;
    const { send, withheld, copies } = judged;
    const { waiting, superseded } = await this.send(send);
    const overtaking = await this.orStepBack(() => late.overtaking(superseded));
    waiting.push(...(overtaking === undefined ? superseded : await this.sendOvertaking(overtaking)));
    const isKept = await this.orStepBack(() => this.withhold([...withheld, ...copies]));
    if (isKept) this.withheld += withheld.length;
    else waiting.push(...withheld.map(({ document }) => document));
    return waiting;
  }

  /**
   * Sends documents again with a higher version than that of the stored documents. Versions are times. If the stored documents come from a
   * host whose clock is ahead, their versions are too high. Leaves out documents of which the journal contains a newer version. Returns the
   * documents that must be sent again.
   */
  private async sendOvertaking(superseded: readonly StoredDocument[]): Promise<StoredDocument[]> {
    const found = await Promise.all(superseded.map((document) => this.overtake(document)));
    const newest = found.filter((document) => document !== undefined);
    return newest.length === 0 ? [] : (await this.send(newest)).waiting;
  }

  private async overtake(document: StoredDocument): Promise<StoredDocument | undefined> {
    const { journal, versions } = this.options;
    const stored = await this.versionOf(document).catch(() => 0);
    if (journal.newestVersion(document) > document.version!) return undefined;
    versions.raise(stored);
    return { ...document, version: versions.next() };
  }

  /** Reads the version of the stored document; 1 if the document is not stored. Rejects with a DynoError. */
  async versionOf({ index, id }: StoredDocument): Promise<number> {
    const stored = await askIfThere(this.client, api.documentVersion(index, id), `read ${index}`);
    return stored?._version ?? 1;
  }

  /**
   * Sends documents, and records whether the cluster responds. Never rejects: after any failure, the returned delivery lists the documents
   * as waiting.
   */
  private async send(documents: readonly StoredDocument[]): Promise<Delivery> {
    const { sender, versions } = this.options;
    const cut = new AbortController();
    const at = performance.now();
    this.attempt = { cut, at };
    const signal = AbortSignal.any([this.stop.signal, cut.signal]);
    const timeoutMs = this.outage.reason === '' ? FIRST_TIMEOUT_MS : undefined;
    const delivery = await sender.send(documents, this.client, { signal, timeoutMs });
    this.attempt = undefined;
    this.isLate = false;
    const missing = new Set([...delivery.waiting, ...delivery.rejected.map(({ document }) => document)]);
    for (const document of documents) if (!missing.has(document)) versions.noteStored(document);
    if (delivery.hindrance !== null) this.stepBack(delivery.hindrance, at);
    else if (this.outage.ended())
      this.report(
        'results.recovered',
        'the results cluster can be written to again; Dyno now writes the results that waited',
      );
    return delivery;
  }

  /**
   * Calls `work`. If the results cluster or the disk fails, records the outage and resolves to undefined. The caller's documents are then
   * sent again later.
   */
  private async orStepBack<T>(work: () => Promise<T>): Promise<T | undefined> {
    const at = performance.now();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DynoError)) throw error;
      // An outage is reported only once, and not again with the message of another request.
      const [problem] = error.problems;
      const { reason } = this.outage;
      this.stepBack(reason === '' ? problem! : { ...problem!, message: reason }, at);
      return undefined;
    }
  }

  private stepBack(problem: Problem, since: number): void {
    const isNews = this.outage.failed(problem, since);
    if (isNews && !this.stop.signal.aborted)
      this.options.onProblem({ ...problem, message: `results wait on disk: ${problem.message}` });
  }

  /**
   * Writes documents that must not be sent to files, one for each run and reason, and reports each file. Resolves to true. Rejects with a
   * DynoError if writing fails.
   */
  private async withhold(withheld: readonly Withheld[]): Promise<true> {
    const { keptFolder } = this.options;
    for (const reason of new Set(withheld.map(reasonOf))) {
      const documents = withheld.filter((one) => reasonOf(one) === reason).map(({ document }) => document);
      try {
        const file = await writeResultsFile(keptFolder, documents, reason);
        this.report(
          'results.withheld',
          `${reason}: ${plural(documents.length, 'document')} that waited on disk are kept in ${file}, which \`dyno results import\` reads`,
        );
      } catch (error) {
        const sentence = `results that must not replace newer ones cannot be kept in ${keptFolder}`;
        throw runError('results.kept-failed', '', `${sentence}: ${messageOf(error)}`, error);
      }
    }
    return true;
  }

  private report(code: string, message: string): void {
    this.options.onProblem({ code, path: '', message });
  }
}

const reasonOf = ({ document, why }: Withheld): string => `run ${runIdOf(document)}: ${why}`;
