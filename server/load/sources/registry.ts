/** Which source gives the documents of which job. */
import type { GeneratorName } from '../../../common/experiment/definition';
import type { SourceJob } from '../contract';
import type { Share } from '../shares';
import { FileSource } from './file';
import { GeneratorSource } from './generator';
import { apacheLogsTemplate } from './generators/apache-logs';
import { httpEventsTemplate } from './generators/http-events';
import { systembaseTemplate } from './generators/systembase';
import type { DocumentSource } from './source';
import type { Part } from './template';

/** The parts of one document of each generator. */
export const TEMPLATES: Record<GeneratorName, () => Part[]> = {
  systembase: () => systembaseTemplate(false),
  'systembase-big': () => systembaseTemplate(true),
  'apache-logs': apacheLogsTemplate,
  'http-events': httpEventsTemplate,
};

/** `seed` is the share's own; `onBroken` is called once if the source cannot go on. */
export function createSource(
  job: SourceJob,
  seed: number,
  share: Share,
  onBroken: (error: unknown) => void,
): DocumentSource {
  return job.kind === 'generator'
    ? new GeneratorSource(TEMPLATES[job.generator](), seed)
    : new FileSource(job, share, onBroken);
}
