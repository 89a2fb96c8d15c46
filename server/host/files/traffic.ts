/** Lists the files with recorded client requests (traffic) that experiments may read, and summarizes their contents (a survey). */
import path from 'node:path';
import { TrafficList } from '../../traffic/inspect/list';
import { Surveys } from '../../traffic/inspect/surveys';
import type { TrafficService } from '../../routes/services';
import { checkRead } from './corpora';

const iso = (ms: number): string => new Date(ms).toISOString();

export interface HostTraffic extends TrafficService {
  close(): Promise<void>;
}

/**
 * Creates the service. `corpora`: folder of the files that experiments may read. `threadFile`: path of the built JavaScript file of the
 * worker thread that reads a traffic file for its survey.
 */
export function createTraffic(corpora: string, threadFile: string): HostTraffic {
  const list = new TrafficList(corpora);
  const surveys = new Surveys(threadFile);
  return {
    async list() {
      const { files, isCut } = await list.find();
      return {
        folder: corpora,
        isCut,
        files: files.map(({ modifiedMs, startedAt, ...found }) => ({
          ...found,
          modifiedAt: iso(modifiedMs),
          startedAt: startedAt === null ? null : iso(startedAt),
        })),
      };
    },
    async survey(file) {
      await checkRead([{ path: 'file', file }], corpora);
      const now = await surveys.of(path.join(corpora, file));
      if (now.state === 'reading') return now;
      const { format, header, survey, losses } = now.found;
      return {
        state: 'read',
        format,
        share: header.share,
        survey,
        losses: losses.map(({ text, examples }) => ({ text, examples: [...examples] })),
      };
    },
    close: () => surveys.close(),
  };
}
