/**
 * Downloads the full distribution of Elasticsearch while the server runs. A user requests the download on the page of a target that lacks
 * modules.
 */
import { join } from 'node:path';
import type { DistributionStatus } from '../../../common/api/distribution';
import { messageOf } from '../../../common/problem';
import type { DistributionService } from '../../routes/services';
import { exists } from '../exists';
import { downloadOfficial, type OfficialArchive } from './official';

export interface WholeDownloadOptions {
  archive: OfficialArchive;
  /** Resolves to the folder of unpacked distributions. */
  folder(): Promise<string>;
}

interface Running {
  doneBytes: number;
  totalBytes: number | null;
  controller: AbortController;
  /** Resolves when the download has ended. Never rejects. */
  ended: Promise<void>;
}

export class WholeDownload implements DistributionService {
  private running: Running | undefined;
  private problem = '';

  constructor(private readonly options: WholeDownloadOptions) {}

  async status(): Promise<DistributionStatus> {
    const { archive, folder } = this.options;
    const { running, problem } = this;
    const isPresent = running === undefined && (await exists(join(await folder(), archive.name)));
    return {
      offered: true,
      version: archive.version,
      from: archive.url,
      state: running ? 'downloading' : isPresent ? 'present' : 'absent',
      doneBytes: running?.doneBytes ?? 0,
      totalBytes: running?.totalBytes ?? null,
      problem,
    };
  }

  /** Starts the download, unless it is already running or complete. */
  async start(): Promise<DistributionStatus> {
    const { archive } = this.options;
    const { state } = await this.status();
    if (state === 'absent' && this.running === undefined) {
      const running: Running = {
        doneBytes: 0,
        totalBytes: null,
        controller: new AbortController(),
        ended: Promise.resolve(),
      };
      this.running = running;
      this.problem = '';
      running.ended = this.carryOut(archive, running);
    }
    return this.status();
  }

  async cancel(): Promise<DistributionStatus> {
    await this.close();
    return this.status();
  }

  /** Cancels a running download. The downloaded bytes stay on disk for the next download. Never rejects. */
  async close(): Promise<void> {
    this.running?.controller.abort();
    await this.running?.ended;
  }

  /** Executes the download. Updates `running` with the progress, and stores an error for the status. Never rejects. */
  private async carryOut(archive: OfficialArchive, running: Running): Promise<void> {
    const { signal } = running.controller;
    try {
      await downloadOfficial(archive, await this.options.folder(), {
        signal,
        onProgress: (done, total) => {
          running.doneBytes = done;
          running.totalBytes = total ?? null;
        },
      });
    } catch (error) {
      if (!signal.aborted) this.problem = messageOf(error);
    } finally {
      this.running = undefined;
    }
  }
}
