/** Reads the index template for the events of Dyno's collector. The build generates this template from the collector's `fields.yml`. */
import { readFile } from 'node:fs/promises';
import { messageOf, runError } from '../../common/problem';
import { METRICS } from './stored';
import type { Template } from './templates';

/**
 * Reads the index template. `file`: path of the file that `scripts/build-metrics-template.mjs` has written. Rejects with a DynoError
 * `results.metrics-template` if the file is missing or does not contain a template.
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
