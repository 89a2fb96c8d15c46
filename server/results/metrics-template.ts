/** The template of the collector's index, made from its `fields.yml` when it is built. */
import { readFile } from 'node:fs/promises';
import { messageOf, runError } from '../../common/problem';
import { METRICS } from './stored';
import type { Template } from './templates';

/**
 * `file`: what `scripts/build-metrics-template.mjs` wrote. Rejects with a DynoError `results.metrics-template` when it
 * is not there or not a template.
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
