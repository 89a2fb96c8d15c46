/**
 * Runs the certification of the load generator in a process that serves pages. Only one certification runs at a time. Every user who is
 * allowed to certify can start, follow and cancel it.
 */
import os from 'node:os';
import type { CertificationStatus, LastCertification } from '../../common/api/certification';
import { inputError, messageOf } from '../../common/problem';
import { certify as certifyHere, type CertifyFiles } from './certify';
import { keepCertification, keptCertification } from './kept';
import { certifiedBehaviour } from './verdict';

export interface CertifierOptions extends CertifyFiles {
  /** Folder that stores the last certification. */
  folder: string;
  version: string;
  /**
   * Keeps runs of this process from starting until the returned function is called, because a run and a certification would disturb each
   * other. `why` is shown for waiting runs. Throws a DynoError if a run is in progress.
   */
  holdRuns: (why: string) => () => void;
  /** Function that tests pass instead of the real certification. */
  certify?: typeof certifyHere;
}

interface RunningCertification {
  progress: NonNullable<CertificationStatus['progress']>;
  controller: AbortController;
  /** Resolves when the certification has ended, with or without a result. Never rejects. */
  ended: Promise<void>;
}

const HELD = 'the load generator of this machine is being certified, which takes two minutes';

export class Certifier {
  private running: RunningCertification | undefined;
  private problem = '';
  /** The last certification, if it could not be written to disk; otherwise undefined. */
  private unkept: LastCertification | undefined;

  constructor(private readonly options: CertifierOptions) {}

  async status(): Promise<CertificationStatus> {
    const { folder, version } = this.options;
    return {
      machine: { host: os.hostname(), cores: os.availableParallelism() },
      dyno: version,
      progress: this.running?.progress ?? null,
      problem: this.problem,
      last: this.unkept ?? (await keptCertification(folder)),
    };
  }

  /**
   * Starts a certification and returns the status. Rejects with the DynoError `certification.going` if a certification is already running,
   * and with `run.going` if this process is executing a run.
   */
  async start(): Promise<CertificationStatus> {
    if (this.running)
      throw inputError(
        'certification.going',
        '',
        'the load generator of this machine is being certified already: wait for the result, or cancel it',
      );
    const release = this.options.holdRuns(HELD);
    const controller = new AbortController();
    const progress = { started: new Date().toISOString(), done: 0, of: 0, now: null };
    const running: RunningCertification = { progress, controller, ended: Promise.resolve() };
    this.running = running;
    this.problem = '';
    running.ended = this.carryOut(running).finally(() => {
      this.running = undefined;
      release();
    });
    return this.status();
  }

  /**
   * Cancels the certification. Resolves when it sends no more requests. Rejects with the DynoError `certification.none` if no certification
   * is running.
   */
  async cancel(): Promise<CertificationStatus> {
    if (!this.running)
      throw inputError('certification.none', '', 'no certification is running: it may have ended already');
    await this.close();
    return this.status();
  }

  /** Ends a running certification without a result. Never rejects. */
  async close(): Promise<void> {
    this.running?.controller.abort();
    await this.running?.ended;
  }

  /**
   * Executes the certification and stores the result on disk. Never rejects: the message of an error is kept in `problem` for the status.
   */
  private async carryOut(running: RunningCertification): Promise<void> {
    const { folder, version, workerFile, targetFile, certify = certifyHere } = this.options;
    const { signal } = running.controller;
    let last: LastCertification;
    try {
      const { certification, measurements } = await certify({
        workerFile,
        targetFile,
        version,
        signal,
        onMeasuring: (now, done, of) => {
          running.progress = { ...running.progress, done, of, now };
        },
      });
      last = { certification, measured: measurements.map(certifiedBehaviour) };
    } catch (error) {
      if (!signal.aborted) this.problem = `the certification has no result: ${messageOf(error)}`;
      return;
    }
    try {
      await keepCertification(folder, last);
      this.unkept = undefined;
    } catch (error) {
      this.unkept = last;
      this.problem = `the certification could not be stored, so reports will not quote it: ${messageOf(error)}`;
    }
  }
}
