/** Writes results as they come, without ever holding up the load: what cannot be written now waits in the spool. */
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { DynoError, messageOf, runError, type Problem } from '../../common/problem';
import { plural } from '../../common/units/format';
import os from 'node:os';
import path from 'node:path';
import * as api from '../elasticsearch/api';
import { askIfThere } from './answer';
import { deliver, nothing, type Delivery } from './bulk';
import { LateDocuments, type Withheld } from './late-documents';
import { writeResultsFile } from './results-file';
import { Spool, type Lane, type Portion } from './spool';
import {
  isOfKind,
  runIdOf,
  RUNS,
  SAMPLES,
  storedRun,
  storedSample,
  storedTrial,
  type StoredDocument,
} from './stored';
import { waitingAmong, type WaitingSamples } from './waiting-samples';
import { endsWithin } from '../waiting';
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
  /**
   * Where a file is written, at the end, of what could be stored neither in the cluster nor in the spool: the first of these
   * folders that takes it. The spool's own and the system's for temporary files by default.
   */
  lastFolders?: readonly string[];
}

export interface WriterStats {
  /** In Elasticsearch. */
  written: number;
  /** Waiting on disk now. */
  spooled: number;
  /** Waiting in memory, because the disk takes nothing either. */
  held: number;
  /** Lost because the spool was full, damaged, or could not be written to. */
  dropped: number;
  /** Refused by Elasticsearch for what they are. */
  rejected: number;
  /** Not stored, lest they replace what another process has written of their run; kept in files. */
  withheld: number;
}

const FLUSH_MS = 1000;
const FLUSH_DOCUMENTS = 500;
const SPOOL_BYTES = 256 * 1024 ** 2;
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 15_000;
const CLOSE_MS = 5000;
const RETRY_WHILE_FLUSHING_MS = 250;
/** A state of a run or a trial is on disk after this long without an answer, ms, and the run goes on. */
const PATIENCE_MS = 1000;
/** Nobody takes a run, or deletes it, whose carrier has been silent for less, ms: what waited no longer stands against nothing. */
const UNCONTESTED_MS = 30_000;
/** Waiting for a cluster ends after this long without an answer that lets it write, ms. */
const AWAY_MS = 3000;
/** Folder, in that of the spool, of what is not stored and not dropped either. */
export const KEPT = 'kept';
/** Samples that are held in memory at most, some 2 KB each; runs and trials are held all. */
const MOST_HELD_SAMPLES = 20_000;

export class ResultsWriter {
  private readonly client: ElasticsearchClient;
  private readonly onProblem: (problem: Problem) => void;
  private readonly spool: Spool;
  private readonly timer: NodeJS.Timeout;
  private readonly stop = new AbortController();
  private readonly reasons = new Set<string>();
  private readonly templates: readonly Template[];
  private buffer: StoredDocument[] = [];
  /** On their way: an answer may take as long as the client waits. */
  private readonly sending = new Set<readonly StoredDocument[]>();
  private ready: boolean;
  /** Why nothing is sent at the moment; '' while all is well. */
  private hindrance = '';
  /** By `index/id`: the newest version that was saved here, for as long as an older one may be on its way or wait. */
  private readonly newest = new Map<string, number>();
  /** States that are being saved. */
  private saving = 0;
  /** Saves that have not been answered in time, and may be yet. */
  private late = 0;
  private backoffMs = 0;
  private nextTryAt = 0;
  private lastVersion = 0;
  private pumping: Promise<void> | undefined;
  private written = 0;
  private dropped = 0;
  private rejected = 0;
  private withheld = 0;
  private readonly keptFolder: string;
  private readonly lastFolders: readonly string[];
  /** What the disk did not take: of runs and trials the newest state of each. */
  private heldDocuments = new Map<string, StoredDocument>();
  private heldSamples: StoredDocument[] = [];
  /** Why the disk takes nothing at the moment; '' while it does. */
  private spoolFailure = '';
  /** Since when something waits, ms of a clock that never jumps; undefined while nothing does. */
  private waitsSince: number | undefined;
  /** Whether some of it is of an earlier process. */
  private hasLeftovers = false;
  /** Runs that the results had when this process last wrote to them. */
  private readonly knownRuns = new Set<string>();
  /** By run, in the state that was saved here last. */
  private readonly carriers = new Map<string, RunDocument['run']['carrier']>();

  constructor({
    client,
    spoolDir,
    onProblem,
    spoolBytes = SPOOL_BYTES,
    templates = TEMPLATES,
    lastFolders,
  }: ResultsWriterOptions) {
    this.client = withDefaults(client, { signal: this.stop.signal });
    this.onProblem = onProblem;
    this.templates = templates === 'assumed' ? [] : templates;
    this.ready = this.templates.length === 0;
    this.keptFolder = path.join(spoolDir, KEPT);
    this.lastFolders = lastFolders ?? [this.keptFolder, os.tmpdir()];
    this.spool = new Spool({
      folder: spoolDir,
      boundBytes: spoolBytes,
      onLost: (count, why) => this.lose(count, why),
    });
    this.timer = setInterval(() => void this.pump(), FLUSH_MS);
    this.timer.unref();
  }

  /**
   * True when it is stored, or on disk to be stored later. False when neither was possible: it is held in memory then, and
   * written as a file at the latest when this is closed. Never rejects for what the cluster or the disk does.
   */
  saveRun(run: RunDocument): Promise<boolean> {
    this.carriers.set(run.run.id, run.run.carrier);
    return this.save(storedRun(run, this.nextVersion()));
  }

  /** As {@link saveRun}. */
  async saveTrial(trial: TrialDocument): Promise<boolean> {
    const document = storedTrial(trial, this.nextVersion());
    await this.bringSamples();
    return await this.save(document);
  }

  /** Before a state that counts on them: a process that is killed right after it leaves nothing of them behind. Never rejects. */
  private async bringSamples(): Promise<void> {
    if (this.buffer.length === 0 && this.sending.size === 0) return;
    if (!this.isAway() && (await endsWithin(this.pump(), PATIENCE_MS))) return;
    // An answer is late: written twice, a sample is still one document.
    const underway = [...this.sending].flat().filter((document) => isOfKind(document, SAMPLES));
    const waiting = [...underway, ...this.takeBuffer()];
    if (waiting.length > 0) await this.keep('samples', waiting);
  }

  /**
   * Marks a run, or a trial, of which this process knows only that nobody seems to carry it. The mark takes the version of
   * what it stands on: whatever the carrier has written since goes before it, even where that comes later. False where
   * something newer stands there by now. A mark never waits on the disk: rejects with a DynoError where the results are away.
   */
  markRun(run: RunDocument): Promise<boolean> {
    return this.mark(storedRun(run, 1));
  }

  /** As {@link markRun}. */
  markTrial(trial: TrialDocument): Promise<boolean> {
    return this.mark(storedTrial(trial, 1));
  }

  private async mark(document: StoredDocument): Promise<boolean> {
    const version = await this.versionOf(document);
    const { written, rejected, hindrance } = await this.attempt([{ ...document, version }]);
    if (hindrance) throw new DynoError('run', [hindrance]);
    this.written += written;
    this.reject(rejected);
    return written > 0;
  }

  /** Takes it and returns at once; it is written in the background within about a second. */
  addSample(sample: SampleDocument): void {
    this.buffer.push(storedSample(sample));
    if (this.buffer.length >= FLUSH_DOCUMENTS) void this.pump();
  }

  /**
   * Tries for at most `timeoutMs` to bring all that waits into Elasticsearch; false if something still waits. It gives up
   * early where the cluster is away.
   */
  async flush(timeoutMs: number): Promise<boolean> {
    const begun = Date.now();
    let until = begun + timeoutMs;
    for (;;) {
      this.nextTryAt = 0;
      until = this.isAway() ? Math.min(until, Date.now() + AWAY_MS) : begun + timeoutMs;
      const left = until - Date.now();
      const inTime = await endsWithin(this.pump(), Math.max(0, left));
      if (inTime && this.buffer.length + this.spool.count + this.held === 0) return true;
      if (Date.now() + RETRY_WHILE_FLUSHING_MS > until) return false;
      if (inTime) await new Promise((resolve) => setTimeout(resolve, RETRY_WHILE_FLUSHING_MS));
    }
  }

  /** Whether the results cluster could not be written to when that was last tried. */
  isAway(): boolean {
    return this.hindrance !== '' || this.late > 0;
  }

  /** Takes over what earlier processes could not write; resolves to how many documents that are. */
  async drainLeftovers(): Promise<number> {
    const found = await this.spool.adoptLeftovers();
    this.hasLeftovers ||= found > 0;
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
      await endsWithin(this.pump(), CLOSE_MS / 2);
    }
    this.stop.abort();
    await this.pumping;
    if (this.buffer.length > 0) await this.keep('samples', this.takeBuffer());
    await this.writeHeld();
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
      held: this.held,
      dropped: this.dropped,
      rejected: this.rejected,
      withheld: this.withheld,
    };
  }

  /** Samples that are neither in Elasticsearch nor on the disk, by experiment; there are some at any time while a run goes on. */
  waitingSamples(): WaitingSamples[] {
    return waitingAmong([...this.buffer, ...[...this.sending].flat(), ...this.heldSamples]);
  }

  private get held(): number {
    return this.heldDocuments.size + this.heldSamples.length;
  }

  /** Later states have higher versions, within this process and, by the clock, after it. */
  private nextVersion(): number {
    this.lastVersion = Math.max(Date.now(), this.lastVersion + 1);
    return this.lastVersion;
  }

  private async save(document: StoredDocument): Promise<boolean> {
    this.newest.set(keyOf(document), document.version!);
    this.saving += 1;
    try {
      if (this.isAway()) return await this.keep('documents', [document]);
      const storing = this.store(document);
      if (await endsWithin(storing, PATIENCE_MS)) return await storing;
      // Nobody waits for it: it is on disk too, and written twice it is still one document.
      this.late += 1;
      void storing.finally(() => {
        this.late -= 1;
        this.forgetNewest();
      });
      return await this.keep('documents', [document]);
    } finally {
      this.saving -= 1;
      this.forgetNewest();
    }
  }

  /** What is nowhere on its way any more cannot come late. */
  private forgetNewest(): void {
    const isSettled = this.saving + this.late + this.spool.count + this.held === 0;
    if (isSettled && this.pumping === undefined) this.newest.clear();
  }

  private async store(document: StoredDocument): Promise<boolean> {
    const { waiting, superseded } = await this.send([document]);
    const again = superseded.length > 0 ? await this.sendOvertaking(superseded) : [];
    const left = [...waiting, ...again];
    return left.length === 0 || (await this.keep('documents', left));
  }

  /**
   * Sends what the host that wrote it before keeps out, whose clock is ahead of ours, as the newest state. What a newer state of
   * this process keeps out is left out. Returns those that wait on.
   */
  private async sendOvertaking(superseded: readonly StoredDocument[]): Promise<StoredDocument[]> {
    const found = await Promise.all(superseded.map((document) => this.overtake(document)));
    const newest = found.filter((document) => document !== undefined);
    return newest.length === 0 ? [] : (await this.send(newest)).waiting;
  }

  /** `document` as the newest state, whatever stands there; undefined where a newer one was saved here. */
  private async overtake(document: StoredDocument): Promise<StoredDocument | undefined> {
    const stored = await this.versionOf(document).catch(() => 0);
    // One that was answered late finds what was written from the disk meanwhile.
    if ((this.newest.get(keyOf(document)) ?? 0) > document.version!) return undefined;
    this.lastVersion = Math.max(this.lastVersion, stored);
    return { ...document, version: this.nextVersion() };
  }

  /** 1 for a document that does not stand there. Rejects with a DynoError. */
  private async versionOf({ index, id }: StoredDocument): Promise<number> {
    const told = await askIfThere(this.client, api.documentVersion(index, id), `read ${index}`);
    return told?._version ?? 1;
  }

  /** Writes the buffer and what waits; one at a time, never rejects. */
  private pump(): Promise<void> {
    this.pumping ??= this.pumpOnce()
      .catch((error: unknown) =>
        this.tell('results.writer-failed', `results could not be written: ${messageOf(error)}`),
      )
      .finally(() => {
        this.pumping = undefined;
        this.forgetNewest();
      });
    return this.pumping;
  }

  private async pumpOnce(): Promise<void> {
    const mayTry = (): boolean => this.hindrance === '' || Date.now() >= this.nextTryAt;
    if (this.held > 0) await this.keepHeld();
    if (mayTry() && this.spool.count > 0) await this.drain();
    if (mayTry() && this.held > 0) await this.deliverHeld();
    while (this.buffer.length > 0) {
      const batch = this.takeBuffer();
      const waiting = mayTry() ? (await this.send(batch)).waiting : batch;
      if (waiting.length > 0) await this.keep('samples', waiting);
    }
  }

  private async drain(): Promise<void> {
    const silentMs = performance.now() - (this.waitsSince ?? -Infinity);
    const late = this.hasLeftovers || silentMs > UNCONTESTED_MS ? new LateDocuments(this.client) : undefined;
    for (let portion = await this.spool.take(); portion !== undefined; portion = await this.spool.take()) {
      const { documents } = portion;
      const waiting = late ? await this.deliverLate(late, portion) : await this.deliverSoon(documents);
      await this.spool.settle(portion, waiting);
      if (waiting.length > 0) return;
    }
    this.waitsSince = undefined;
    this.hasLeftovers = false;
  }

  /** Of which nobody can have written anything meanwhile. Returns those that wait on. */
  private async deliverSoon(documents: readonly StoredDocument[]): Promise<StoredDocument[]> {
    const { waiting, superseded } = await this.send(documents);
    return [...waiting, ...(await this.sendOvertaking(superseded))];
  }

  /** Returns those that wait on. */
  private async deliverLate(late: LateDocuments, { documents }: Portion): Promise<StoredDocument[]> {
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

  /** Undefined where the results, or the disk, do not let it happen: it is tried again later. */
  private async orStepBack<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DynoError)) throw error;
      // What was told already is not told again in the words of another request.
      const [problem] = error.problems;
      this.stepBack(this.hindrance === '' ? problem! : { ...problem!, message: this.hindrance });
      return undefined;
    }
  }

  /** Keeps them in files, told of by run and reason. Rejects with a DynoError where that cannot be. */
  private async withhold(withheld: readonly Withheld[]): Promise<true> {
    const reasons = new Set(withheld.map(reasonOf));
    for (const reason of reasons) {
      const documents = withheld.filter((one) => reasonOf(one) === reason).map(({ document }) => document);
      try {
        const file = await writeResultsFile(this.keptFolder, documents, reason);
        this.tell(
          'results.withheld',
          `${reason}: ${plural(documents.length, 'document')} that waited on disk are kept in ${file}, which \`dyno results import\` reads`,
        );
      } catch (error) {
        const sentence = `what must not replace newer results cannot be kept in ${this.keptFolder}`;
        throw runError('results.kept-failed', '', `${sentence}: ${messageOf(error)}`, error);
      }
    }
    return true;
  }

  private takeBuffer(): StoredDocument[] {
    const batch = this.buffer;
    this.buffer = [];
    return batch;
  }

  /** Never rejects: whatever goes wrong, the documents wait. */
  private async send(documents: readonly StoredDocument[]): Promise<Delivery> {
    this.sending.add(documents);
    const delivery = await this.attempt(documents);
    this.sending.delete(documents);
    this.written += delivery.written;
    this.reject(delivery.rejected);
    this.noteKnown(documents, delivery);
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

  /** Of runs that stand there now. */
  private noteKnown(documents: readonly StoredDocument[], { waiting, rejected }: Delivery): void {
    const missing = new Set([...waiting, ...rejected.map(({ document }) => document)]);
    for (const document of documents)
      if (isOfKind(document, RUNS) && !missing.has(document)) this.knownRuns.add(runIdOf(document));
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

  /** False where the disk does not take them: they are held in memory then. */
  private async keep(lane: Lane, documents: readonly StoredDocument[]): Promise<boolean> {
    const waiting = documents.map((document): StoredDocument => {
      const run = runIdOf(document);
      const by = this.carriers.get(run);
      const known = this.knownRuns.has(run);
      return { ...(by ? { by } : {}), ...document, ...(known ? { known } : {}) };
    });
    this.waitsSince ??= performance.now();
    try {
      await this.spool.append(lane, waiting);
      this.spoolFailure = '';
      return true;
    } catch (error) {
      this.hold(lane, waiting);
      // Names of files in the message differ each time.
      const failure = (error as NodeJS.ErrnoException).code ?? messageOf(error);
      const sentence = `the spool cannot be written to (${messageOf(error)}): results wait in memory`;
      if (failure !== this.spoolFailure) this.tell('results.spool-failed', sentence);
      this.spoolFailure = failure;
      return false;
    }
  }

  private hold(lane: Lane, documents: readonly StoredDocument[]): void {
    if (lane === 'samples') this.heldSamples.push(...documents);
    else
      for (const document of documents) {
        const key = keyOf(document);
        const held = this.heldDocuments.get(key);
        if ((held?.version ?? 0) <= (document.version ?? 0)) this.heldDocuments.set(key, document);
      }
    const tooMany = this.heldSamples.length - MOST_HELD_SAMPLES;
    if (tooMany <= 0) return;
    this.heldSamples.splice(0, tooMany);
    this.lose(tooMany, 'neither the results cluster nor the disk takes them');
  }

  private takeHeld(): { documents: StoredDocument[]; samples: StoredDocument[] } {
    const held = { documents: [...this.heldDocuments.values()], samples: this.heldSamples };
    this.heldDocuments = new Map();
    this.heldSamples = [];
    return held;
  }

  /** The disk may have room again. */
  private async keepHeld(): Promise<void> {
    const { documents, samples } = this.takeHeld();
    if (documents.length > 0) await this.keep('documents', documents);
    if (samples.length > 0) await this.keep('samples', samples);
  }

  private async deliverHeld(): Promise<void> {
    const late = new LateDocuments(this.client);
    const { documents, samples } = this.takeHeld();
    this.hold('documents', await this.deliverLate(late, { file: '', documents }));
    this.hold('samples', await this.deliverLate(late, { file: '', documents: samples }));
  }

  /** The last that can be done for what neither the cluster nor the spool takes. */
  private async writeHeld(): Promise<void> {
    const { documents, samples } = this.takeHeld();
    const all = [...documents, ...samples];
    if (all.length === 0) return;
    const why = `neither the results cluster (${this.hindrance}) nor the spool took them`;
    const failures: string[] = [];
    for (const folder of this.lastFolders) {
      try {
        const file = await writeResultsFile(folder, all, why);
        const sentence = `${plural(all.length, 'document')} could not be stored: ${why}`;
        this.tell('results.unstored', `${sentence}; \`dyno results import ${file}\` stores them`);
        return;
      } catch (error) {
        failures.push(messageOf(error));
      }
    }
    this.lose(all.length, `${why}, and no file could be written (${failures.join('; ')})`);
  }

  private lose(count: number, why: string): void {
    this.dropped += count;
    this.tell('results.dropped', `${why}: ${count} lost now, ${this.dropped} altogether`);
  }

  private tell(code: string, message: string): void {
    this.onProblem({ code, path: '', message });
  }
}

const keyOf = ({ index, id }: StoredDocument): string => `${index}/${id}`;

const reasonOf = ({ document, why }: Withheld): string => `run ${runIdOf(document)}: ${why}`;

export const createResultsWriter = (options: ResultsWriterOptions): ResultsWriter =>
  new ResultsWriter(options);
