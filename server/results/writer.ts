/** Writes results without delaying the load. Results go to the journal on disk first, and from there to the results cluster. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import type { ProfileDocument } from '../../common/measurement/profile-document';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { DynoError, messageOf, type Problem } from '../../common/problem';
import { plural } from '../../common/units/format';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Journal } from './journal';
import { writeResultsFile } from './results-file';
import { DocumentSender } from './sender';
import { Shipper } from './shipper';
import { storedProfile, storedRun, storedSample, storedTrial, type StoredDocument } from './stored';
import { TEMPLATES, type Template } from './templates';
import { Versions } from './versions';
import { waitingAmong, type WaitingSamples } from './waiting-samples';
import { endsWithin } from '../waiting';

export interface ResultsWriterOptions {
  client: ElasticsearchClient;
  /** Folder of the journal. It is created when it is first needed. */
  spoolDir: string;
  /** Called with each problem, and with a message when a problem is over. */
  onProblem: (problem: Problem) => void;
  /** Maximum size on disk, in bytes. Above it, the oldest samples are dropped. Default: 256 MB. */
  spoolBytes?: number;
  /**
   * Templates that are installed before the first document is stored. Default: {@link TEMPLATES}. `assumed`: the host has installed them
   * with other credentials, so the writer installs none.
   */
  templates?: readonly Template[] | 'assumed';
  /**
   * Folders for a last file with the documents that neither the cluster nor the disk accepted. The first writable folder is used. Default:
   * {@link KEPT} in the journal's folder, then the system's temporary folder.
   */
  lastFolders?: readonly string[];
}

export interface WriterStats {
  /** Number of documents that are stored in Elasticsearch. */
  written: number;
  /**
   * Number of documents that wait on disk for the results cluster. While the cluster works, only documents that have waited more than a few
   * seconds count.
   */
  spooled: number;
  /** Number of documents in memory because the disk refuses writes. */
  held: number;
  /**
   * Number of documents that were lost because the folder on disk was full or damaged, or because neither the cluster nor the disk accepted
   * them.
   */
  dropped: number;
  /** Number of documents that Elasticsearch refused because of their content. */
  rejected: number;
  /** Number of documents that were written to files, because storing them would replace documents of another process. */
  withheld: number;
}

const SHIP_MS = 1000;
const SPOOL_BYTES = 256 * 1024 ** 2;
const CLOSE_MS = 5000;
const RETRY_WHILE_FLUSHING_MS = 250;
/**
 * Maximum time in ms that a save waits for the cluster if the document is already on disk. After that, the save resolves, and the document
 * is stored later.
 */
const PATIENCE_MS = 1000;
/** Time in ms after which a flush ends without success if the cluster has not responded. */
const AWAY_MS = 3000;
/**
 * Usual maximum time in ms from writing a document until it is in the results cluster. A document only counts as waiting if it has waited
 * longer, or if the cluster is unavailable.
 */
const SHIPPING_MS = 5000;
/**
 * Name of a subfolder of the journal's folder. It contains files with documents that Dyno must not store automatically. The user decides
 * about them.
 */
export const KEPT = 'kept';

export class ResultsWriter {
  private readonly journal: Journal;
  private readonly sender: DocumentSender;
  private readonly shipper: Shipper;
  private readonly versions = new Versions();
  private readonly timer: NodeJS.Timeout;
  private readonly lastFolders: readonly string[];
  private readonly onProblem: (problem: Problem) => void;
  private dropped = 0;

  constructor({
    client,
    spoolDir,
    onProblem,
    spoolBytes = SPOOL_BYTES,
    templates = TEMPLATES,
    lastFolders,
  }: ResultsWriterOptions) {
    const keptFolder = path.join(spoolDir, KEPT);
    const { versions } = this;
    this.onProblem = onProblem;
    this.lastFolders = lastFolders ?? [keptFolder, os.tmpdir()];
    this.journal = new Journal({
      folder: spoolDir,
      boundBytes: spoolBytes,
      onLost: (count, why) => this.lose(count, why),
      onRefused: (error) =>
        this.report(
          'results.spool-failed',
          `the spool cannot be written to (${messageOf(error)}): results wait in memory`,
        ),
    });
    this.sender = new DocumentSender({
      templates: templates === 'assumed' ? [] : templates,
      report: (code, message) => this.report(code, message),
    });
    const { journal, sender } = this;
    this.shipper = new Shipper({ client, journal, sender, versions, keptFolder, onProblem });
    this.timer = setInterval(() => void this.shipper.ship(), SHIP_MS);
    this.timer.unref();
  }

  /**
   * Saves the current document of a run.
   * - Resolves to true if the document is stored, or is on disk and will be stored later.
   * - Resolves to false if the document is only in memory. It would then be lost if this process is killed. The writer tries again, and
   *   writes the document to a file if it still cannot store it when the writer is closed.
   *
   * Never rejects because of the cluster or the disk.
   */
  saveRun(run: RunDocument): Promise<boolean> {
    this.versions.noteCarrier(run);
    return this.save(storedRun(run, this.versions.next()));
  }

  /** Saves the current document of a trial. Resolves to true or false as {@link saveRun} does. */
  async saveTrial(trial: TrialDocument): Promise<boolean> {
    const document = storedTrial(trial, this.versions.next());
    // Ships the samples of the trial first, because the document of a trial is only complete with its samples.
    if (this.journal.inMemory.length > 0 && !this.isAway()) await this.shipper.shipWithin(PATIENCE_MS);
    return await this.save(document);
  }

  private async save(document: StoredDocument): Promise<boolean> {
    const until = performance.now() + PATIENCE_MS;
    const segment = this.append(document);
    await this.journal.commit();
    if (!this.isAway()) await this.shipper.shipWithin(until - performance.now());
    return this.journal.isSafe(segment);
  }

  private append(document: StoredDocument, bytes?: number): ReturnType<Journal['append']> {
    return this.journal.append(this.versions.withOrigin(document), this.shipper.outage.since, bytes);
  }

  /**
   * Changes the stored document of a run that no living process seems to execute, for example to the state `interrupted`. The version of
   * the document stays the same. If the run's process is still alive, its next document has a higher version and replaces the changed one.
   */
  markRun(run: RunDocument): Promise<boolean> {
    return this.mark(storedRun(run, 1));
  }

  /** Changes the stored document of a trial whose run no living process seems to execute. Works like {@link markRun}. */
  markTrial(trial: TrialDocument): Promise<boolean> {
    return this.mark(storedTrial(trial, 1));
  }

  private async mark(document: StoredDocument): Promise<boolean> {
    const version = await this.shipper.versionOf(document);
    const { written, hindrance } = await this.shipper.sendAlone({ ...document, version });
    if (hindrance) throw new DynoError('run', [hindrance]);
    return written > 0;
  }

  /** Adds a sample and returns at once. Within about a second, the sample is on disk and usually also stored. */
  addSample(sample: SampleDocument): void {
    this.append(storedSample(sample));
  }

  /** Adds the profile of a trial and returns at once. It is stored like a sample. If space is short, it may be dropped like a sample. */
  addProfile(profile: ProfileDocument): void {
    this.append(storedProfile(profile), profile.stacks.length);
  }

  /**
   * Tries for at most `timeoutMs` to store all waiting documents. Resolves to false if documents still wait. Ends early if the cluster is
   * unavailable.
   */
  async flush(timeoutMs: number): Promise<boolean> {
    const begun = performance.now();
    let until = begun + timeoutMs;
    for (;;) {
      this.shipper.tryNow();
      const now = performance.now();
      until = this.isAway() ? Math.min(until, now + AWAY_MS) : begun + timeoutMs;
      const inTime = await endsWithin(this.shipper.shipAll(), Math.max(0, until - now));
      if (inTime && this.journal.isEmpty) return true;
      if (performance.now() + RETRY_WHILE_FLUSHING_MS > until) return false;
      if (inTime) await sleep(RETRY_WHILE_FLUSHING_MS);
    }
  }

  /** Returns whether the results cluster seems unavailable: the last attempt failed, or a request has waited long for its response. */
  isAway(): boolean {
    return this.shipper.isAway;
  }

  /**
   * Takes over the documents that earlier processes left on disk, and begins to store them. Resolves to the number of these documents,
   * before they are stored.
   */
  async drainLeftovers(): Promise<number> {
    const found = await this.journal.adoptLeftovers();
    if (found > 0) {
      this.report(
        'results.leftovers',
        `${found} documents of an earlier process wait on disk and are written now`,
      );
      void this.shipper.ship();
    }
    return found;
  }

  /**
   * Stores as many documents as possible within a few seconds. All other documents remain on disk for the next process, and the writer
   * reports their number.
   */
  async close(): Promise<void> {
    clearInterval(this.timer);
    // `ship` is called twice, because the first call may be waiting for a lost request.
    for (let round = 0; round < 2; round++) {
      this.shipper.tryNow();
      await endsWithin(this.shipper.shipAll(), CLOSE_MS / 2);
    }
    const why = `neither the results cluster (${this.shipper.outage.reason}) nor the spool accepted them`;
    await this.shipper.close();
    await this.journal.commit();
    const left = await this.journal.close();
    if (left.length > 0) await this.writeLast(left, why);
    const count = this.journal.count();
    if (count > 0) {
      this.report(
        'results.waiting',
        `${count} documents wait on disk until the results cluster can be written to again`,
      );
    }
  }

  stats(): WriterStats {
    const { journal, sender, shipper, dropped } = this;
    return {
      written: sender.written,
      spooled: journal.count(this.isAway() ? 0 : SHIPPING_MS),
      held: journal.held,
      dropped,
      rejected: sender.rejected,
      withheld: shipper.withheld,
    };
  }

  /** Returns the samples in memory, by experiment. Not empty while a run is measuring. */
  waitingSamples(): WaitingSamples[] {
    return waitingAmong(this.journal.inMemory);
  }

  /** Writes documents to a file for `dyno results import`. */
  private async writeLast(documents: readonly StoredDocument[], why: string): Promise<void> {
    const failures: string[] = [];
    for (const folder of this.lastFolders) {
      try {
        const file = await writeResultsFile(folder, documents, why);
        const sentence = `${plural(documents.length, 'document')} could not be stored: ${why}`;
        this.report('results.unstored', `${sentence}; \`dyno results import ${file}\` stores them`);
        return;
      } catch (error) {
        failures.push(messageOf(error));
      }
    }
    this.lose(documents.length, `${why}, and no file could be written (${failures.join('; ')})`);
  }

  private lose(count: number, why: string): void {
    this.dropped += count;
    this.report('results.dropped', `${why}: ${count} lost now, ${this.dropped} in total`);
  }

  private report(code: string, message: string): void {
    this.onProblem({ code, path: '', message });
  }
}

export const createResultsWriter = (options: ResultsWriterOptions): ResultsWriter =>
  new ResultsWriter(options);
