/** Lists and surveys the files of traffic in the folder of files that a server may read. */
import path from 'node:path';
import { TrafficList } from '../../traffic/inspect/list';
import { Surveys } from '../../traffic/inspect/surveys';
import type { TrafficService } from '../../routes/services';
import { checkRead } from './corpora';

const iso = (ms: number): string => new Date(ms).toISOString();

export interface HostTraffic extends TrafficService {
  close(): Promise<void>;
}

/** `threadFile`: built file of the thread that surveys a file. */
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
