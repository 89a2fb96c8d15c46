/** Creates the source from which a job takes its documents. */
import { generatorNamed } from '../../../common/generators/registry';
import type { SourceJob } from '../../../common/tasks/source';
import { FileSource } from './file';
import { GeneratorSource } from './generator';
import { openProfile, ProfileSource } from './profile';
import type { DocumentSource, SourceSetting } from './source';
import { VectorSource } from './vectors';

/** Creates a source of raw lines instead of documents. A line ends with a line feed and has no action line. */
export function createLineSource(job: SourceJob, setting: Omit<SourceSetting, 'actionLine'>): DocumentSource {
  const bare = { ...setting, actionLine: '' };
  if (job.kind === 'file') return new FileSource({ ...job, format: 'raw' }, bare);
  const parts = job.kind === 'generator' ? generatorNamed(job.generator).line?.() : undefined;
  if (parts === undefined) throw new Error(`${job.kind} makes no raw lines`);
  return new GeneratorSource(parts, bare);
}

export function createSource(job: SourceJob, setting: SourceSetting): DocumentSource {
  switch (job.kind) {
    case 'generator':
      return new GeneratorSource(generatorNamed(job.generator).document(), setting);
    case 'profile':
      return new ProfileSource(openProfile(job.file), job.time, setting);
    case 'vectors':
      return new VectorSource(job, setting);
    case 'file':
      return new FileSource(job, setting);
  }
}
