/** Writes results without ever holding up the load: they go to the journal on disk, and from there to the results cluster. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { DynoError, messageOf, type Problem } from '../../common/problem';
import { plural } from '../../common/units/format';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Journal } from './journal';
import { writeResultsFile } from './results-file';
import { Sender } from './sender';
import { Shipper } from './shipper';
import { storedRun, storedSample, storedTrial, type StoredDocument } from './stored';
import { TEMPLATES, type Template } from './templates';
import { Versions } from './versions';
import { waitingAmong, type WaitingSamples } from './waiting-samples';
import { endsWithin } from '../waiting';

export interface ResultsWriterOptions {
  client: ElasticsearchClient;
  /** Folder of the journal; made when it is needed. */
  spoolDir: string;
  /** Called with everything that is wrong, and when it is well again. */
  onProblem: (problem: Problem) => void;
  /** Samples beyond it are dropped, the oldest first; 256 MB by default. */
  spoolBytes?: number;
  /**
   * Installed before the first document, {@link TEMPLATES} by default; `assumed` if the host has installed them with other
   * credentials.
   */
  templates?: readonly Template[] | 'assumed';
  /**
   * For the file, written at the end, of what neither the cluster nor the disk took: the first of these folders that takes it.
   * By default the folder of kept files and the system's for temporary files.
   */
  lastFolders?: readonly string[];
}

export interface WriterStats {
  /** In Elasticsearch. */
  written: number;
  /** On disk, while the cluster is away or for longer than shipping usually takes. */
  spooled: number;
  /** In memory, because the disk refuses them. */
  held: number;
  /** Lost because the spool was full or damaged, or because nothing took them. */
  dropped: number;
  /** Refused by Elasticsearch for what they are. */
  rejected: number;
  /** Not stored because they would replace what another process has written of their run; kept in files. */
  withheld: number;
}

const SHIP_MS = 1000;
const SPOOL_BYTES = 256 * 1024 ** 2;
const CLOSE_MS = 5000;
const RETRY_WHILE_FLUSHING_MS = 250;
/** A save whose state is on disk waits at most this long for the cluster, ms. */
const PATIENCE_MS = 1000;
/** Waiting for a cluster ends after this long without an answer that lets it write, ms. */
const AWAY_MS = 3000;
/** Shipping usually takes less, ms. */
const SHIPPING_MS = 5000;
/** Folder, in that of the journal, of what is neither stored nor dropped. */
export const KEPT = 'kept';

export class ResultsWriter {
  private readonly journal: Journal;
  private readonly sender: Sender;
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
        this.tell(
          'results.spool-failed',
          `the spool cannot be written to (${messageOf(error)}): results wait in memory`,
        ),
    });
    this.sender = new Sender({
      templates: templates === 'assumed' ? [] : templates,
      tell: (code, message) => this.tell(code, message),
    });
    const { journal, sender } = this;
    this.shipper = new Shipper({ client, journal, sender, versions, keptFolder, onProblem });
    this.timer = setInterval(() => void this.shipper.ship(), SHIP_MS);
    this.timer.unref();
  }

  /**
   * Resolves to true if the state is stored, or on disk to be stored later. Resolves to false if it is only in memory: it is
   * stored as soon as possible, and written as a file at the latest when this is closed. Never rejects for what the cluster or
   * the disk does.
   */
  saveRun(run: RunDocument): Promise<boolean> {
    this.versions.noteCarrier(run);
    return this.save(storedRun(run, this.versions.next()));
  }

  /** As {@link saveRun}. */
  async saveTrial(trial: TrialDocument): Promise<boolean> {
    const document = storedTrial(trial, this.versions.next());
    // A state counts on its samples: they go first. On disk they do so in any case.
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

  private append(document: StoredDocument): ReturnType<Journal['append']> {
    return this.journal.append(this.versions.withOrigin(document), this.shipper.outage.since);
  }

  /**
   * Marks a run, or a trial, of which this process knows only that nobody seems to carry it. The mark has the version of the
   * stored state: whatever the carrier has written since then wins, even if it arrives later. Resolves to false if something
   * newer is stored by now. A mark never waits on the disk: rejects with a DynoError if the results are away.
   */
  markRun(run: RunDocument): Promise<boolean> {
    return this.mark(storedRun(run, 1));
  }

  /** As {@link markRun}. */
  markTrial(trial: TrialDocument): Promise<boolean> {
    return this.mark(storedTrial(trial, 1));
  }

  private async mark(document: StoredDocument): Promise<boolean> {
    const version = await this.shipper.versionOf(document);
    const { written, hindrance } = await this.shipper.sendAlone({ ...document, version });
    if (hindrance) throw new DynoError('run', [hindrance]);
    return written > 0;
  }

  /** Returns at once; the sample is on disk, and usually stored, within about a second. */
  addSample(sample: SampleDocument): void {
    this.append(storedSample(sample));
  }

  /**
   * Tries for at most `timeoutMs` to store everything that waits. Resolves to false if something still waits. It gives up early
   * if the cluster is away.
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

  /** Whether the results cluster could not be written to at the last try. */
  isAway(): boolean {
    return this.shipper.isAway;
  }

  /** Adopts what earlier processes could not store. Resolves to the number of documents. */
  async drainLeftovers(): Promise<number> {
    const found = await this.journal.adoptLeftovers();
    if (found > 0) {
      this.tell(
        'results.leftovers',
        `${found} documents of an earlier process wait on disk and are written now`,
      );
      void this.shipper.ship();
    }
    return found;
  }

  /** Stores what it can within seconds. The rest stays on disk for the next process, and is reported. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    // Twice: the first round may be one that waits for a request that got lost.
    for (let round = 0; round < 2; round++) {
      this.shipper.tryNow();
      await endsWithin(this.shipper.shipAll(), CLOSE_MS / 2);
    }
    const why = `neither the results cluster (${this.shipper.outage.reason}) nor the spool took them`;
    await this.shipper.close();
    await this.journal.commit();
    const left = await this.journal.close();
    if (left.length > 0) await this.writeLast(left, why);
    const count = this.journal.count();
    if (count > 0) {
      this.tell(
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

  /** Samples that are in memory, by experiment; there are some at any time while a run is running. */
  waitingSamples(): WaitingSamples[] {
    return waitingAmong(this.journal.inMemory);
  }

  /** Writes documents to a file, for `dyno results import`. */
  private async writeLast(documents: readonly StoredDocument[], why: string): Promise<void> {
    const failures: string[] = [];
    for (const folder of this.lastFolders) {
      try {
        const file = await writeResultsFile(folder, documents, why);
        const sentence = `${plural(documents.length, 'document')} could not be stored: ${why}`;
        this.tell('results.unstored', `${sentence}; \`dyno results import ${file}\` stores them`);
        return;
      } catch (error) {
        failures.push(messageOf(error));
      }
    }
    this.lose(documents.length, `${why}, and no file could be written (${failures.join('; ')})`);
  }

  private lose(count: number, why: string): void {
    this.dropped += count;
    this.tell('results.dropped', `${why}: ${count} lost now, ${this.dropped} altogether`);
  }

  private tell(code: string, message: string): void {
    this.onProblem({ code, path: '', message });
  }
}

export const createResultsWriter = (options: ResultsWriterOptions): ResultsWriter =>
  new ResultsWriter(options);
