/** Which source gives the documents of which job. */
import type { GeneratorName } from '../../../common/experiment/definition';
import type { SourceJob } from '../contract';
import { FileSource } from './file';
import { GeneratorSource } from './generator';
import { apacheAccessLine, apacheAccessLinesTemplate } from './generators/apache-access-lines';
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
  'apache-access-lines': apacheAccessLinesTemplate,
  'http-events': httpEventsTemplate,
  storefront: storefrontTemplate,
};

/** Of generators of raw lines: one line. */
const LINES: Partial<Record<GeneratorName, () => Part[]>> = { 'apache-access-lines': apacheAccessLine };

/** Raw lines instead of documents: each ends with a line feed, and nothing stands before it. */
export function createLineSource(job: SourceJob, setting: Omit<SourceSetting, 'actionLine'>): DocumentSource {
  const bare = { ...setting, actionLine: '' };
  if (job.kind === 'file') return new FileSource({ ...job, format: 'raw' }, bare);
  const parts = LINES[job.generator];
  if (parts === undefined) throw new Error(`${job.generator} makes no raw lines`);
  return new GeneratorSource(parts(), bare);
}

export const createSource = (job: SourceJob, setting: SourceSetting): DocumentSource =>
  job.kind === 'generator'
    ? new GeneratorSource(TEMPLATES[job.generator](), setting)
    : new FileSource(job, setting);
