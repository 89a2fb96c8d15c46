/** Which source gives the documents of which job. */
import type { GeneratorName } from '../../../common/experiment/definition';
import type { SourceJob } from '../contract';
import { FileSource } from './file';
import { GeneratorSource } from './generator';
import { apacheLogsTemplate } from './generators/apache-logs';
import { httpEventsTemplate } from './generators/http-events';
import { storefrontTemplate } from './generators/storefront/products';
import { systembaseTemplate } from './generators/systembase';
import type { DocumentSource, SourceSetting } from './source';
import type { Part } from './template';

/** The parts of one document of each generator. */
export const TEMPLATES: Record<GeneratorName, () => Part[]> = {
  systembase: () => systembaseTemplate(false),
  'systembase-big': () => systembaseTemplate(true),
  'apache-logs': apacheLogsTemplate,
  'http-events': httpEventsTemplate,
  storefront: storefrontTemplate,
};

export const createSource = (job: SourceJob, setting: SourceSetting): DocumentSource =>
  job.kind === 'generator'
    ? new GeneratorSource(TEMPLATES[job.generator](), setting)
    : new FileSource(job, setting);
