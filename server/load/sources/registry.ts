/** Which source gives the documents of which job. */
import { generatorNamed } from '../../../common/generators/registry';
import type { SourceJob } from '../../../common/tasks/source';
import { FileSource } from './file';
import { GeneratorSource } from './generator';
import type { DocumentSource, SourceSetting } from './source';

/** Raw lines instead of documents: each ends with a line feed, and nothing stands before it. */
export function createLineSource(job: SourceJob, setting: Omit<SourceSetting, 'actionLine'>): DocumentSource {
  const bare = { ...setting, actionLine: '' };
  if (job.kind === 'file') return new FileSource({ ...job, format: 'raw' }, bare);
  const parts = generatorNamed(job.generator).line?.();
  if (parts === undefined) throw new Error(`${job.generator} makes no raw lines`);
  return new GeneratorSource(parts, bare);
}

export const createSource = (job: SourceJob, setting: SourceSetting): DocumentSource =>
  job.kind === 'generator'
    ? new GeneratorSource(generatorNamed(job.generator).document(), setting)
    : new FileSource(job, setting);
