/** Reads the template of the collector's index. The build generates the template from the collector's `fields.yml`. */
import { readFile } from 'node:fs/promises';
import { messageOf, runError } from '../../common/problem';
import { METRICS } from './stored';
import type { Template } from './templates';

/**
 * Reads the template. `file`: written by `scripts/build-metrics-template.mjs`. Rejects with a DynoError `results.metrics-template` if the
 * file is missing or is not a template.
 */
export async function readMetricsTemplate(file: string): Promise<Template> {
  const refuse = (why: string, cause?: unknown): Error =>
    runError('results.metrics-template', '', `the collector's index template cannot be read: ${why}`, cause);
  let body: Template['body'];
  try {
    body = JSON.parse(await readFile(file, 'utf8')) as Template['body'];
  } catch (error) {
    throw refuse(messageOf(error), error);
  }
  if (!Number.isInteger(body?.version)) throw refuse(`${file} has no version`);
  return { name: METRICS, body };
}
