/** The certification of a process that serves pages: at most one at a time, asked for, followed and cancelled by whoever may. */
import os from 'node:os';
import type { CertificationStatus, LastCertification } from '../../common/api/certification';
import { inputError, messageOf } from '../../common/problem';
import { certify as certifyHere, type CertifyFiles } from './certify';
import { keepCertification, keptCertification } from './kept';
import { certifiedBehaviour } from './verdict';

export interface CertifierOptions extends CertifyFiles {
  /** Where the last one is kept. */
  folder: string;
  version: string;
  /**
   * From now on no run of this process begins, until what it returns is called: both would measure each other. `why` is for
   * those that wait. Throws a DynoError while one goes on.
   */
  holdRuns: (why: string) => () => void;
  /** For tests. */
  certify?: typeof certifyHere;
}

interface Going {
  progress: NonNullable<CertificationStatus['progress']>;
  controller: AbortController;
  /** When it has ended, however it did. Never rejects. */
  ended: Promise<void>;
}

const HELD = 'the load generator of this machine is being certified, which takes two minutes';

export class Certifier {
  private going: Going | undefined;
  private problem = '';
  /** What no disk took. */
  private unkept: LastCertification | undefined;

  constructor(private readonly options: CertifierOptions) {}

  async status(): Promise<CertificationStatus> {
    const { folder, version } = this.options;
    return {
      machine: { host: os.hostname(), cores: os.availableParallelism() },
      dyno: version,
      progress: this.going?.progress ?? null,
      problem: this.problem,
      last: this.unkept ?? (await keptCertification(folder)),
    };
  }

  /** Rejects with a DynoError (input): `certification.going`, or `run.going` while a run goes on in this process. */
  async start(): Promise<CertificationStatus> {
    if (this.going)
      throw inputError(
        'certification.going',
        '',
        'the load generator of this machine is being certified already: wait for the result, or cancel it',
      );
    const release = this.options.holdRuns(HELD);
    const controller = new AbortController();
    const progress = { started: new Date().toISOString(), done: 0, of: 0, now: null };
    const going: Going = { progress, controller, ended: Promise.resolve() };
    this.going = going;
    this.problem = '';
    going.ended = this.carryOut(going).finally(() => {
      this.going = undefined;
      release();
    });
    return this.status();
  }

  /** Resolves once nothing loads the machine any more. Rejects with a DynoError (input) `certification.none`. */
  async cancel(): Promise<CertificationStatus> {
    if (!this.going)
      throw inputError('certification.none', '', 'no certification goes on: it may have ended by itself');
    await this.close();
    return this.status();
  }

  /** Ends what goes on; its result is lost. Never rejects. */
  async close(): Promise<void> {
    this.going?.controller.abort();
    await this.going?.ended;
  }

  /** Never rejects. */
  private async carryOut(going: Going): Promise<void> {
    const { folder, version, workerFile, targetFile, certify = certifyHere } = this.options;
    const { signal } = going.controller;
    let last: LastCertification;
    try {
      const { certification, measurements } = await certify({
        workerFile,
        targetFile,
        version,
        signal,
        onMeasuring: (now, done, of) => {
          going.progress = { ...going.progress, done, of, now };
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
      this.problem = `the certification could not be kept, so reports will not quote it: ${messageOf(error)}`;
    }
  }
}
