/** Checks whether the nodes of the target accept bulk requests of the size in the definition. */
import { settingSize } from '../../../common/elasticsearch/content-length';
import type { SourceDefinition } from '../../../common/experiment/definition';
import type { Plan } from '../../../common/experiment/plan';
import { generatorNamed } from '../../../common/generators/registry';
import { vectorDocumentBytes } from '../../../common/generators/vectors';
import { inputError } from '../../../common/problem';
import { generatorOf } from '../../../common/tasks/source';
import { parseBytes } from '../../../common/units/bytes';
import { formatNumber } from '../../../common/units/format';
import type { TargetNode } from '../../target-cluster/nodes';

/**
 * Relative error of the estimated mean size of documents. A bulk size is refused only if the estimated size of its requests exceeds the
 * limit by more than this share.
 */
const UNCERTAINTY = 0.25;

/** Returns the smallest limit of all nodes in bytes. Undefined if no node reports a limit. */
export function contentLimit(nodes: readonly Pick<TargetNode, 'maxContentBytes'>[]): number | undefined {
  const limits = nodes.flatMap(({ maxContentBytes }) => maxContentBytes ?? []);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/**
 * Returns the mean size of a document with its action line, in bytes. Undefined if the documents come from a file, whose sizes are unknown
 * here.
 */
function documentBytes(source: SourceDefinition): number | undefined {
  if (source.vectors !== undefined)
    return source.vectors.file === undefined ? vectorDocumentBytes(source.vectors) : undefined;
  const generator = generatorOf(source);
  return generator === undefined ? undefined : generatorNamed(generator).documentBytes;
}

/**
 * Returns a warning for each bulk size that may exceed `limit`. Throws a DynoError `target.bulk-too-large` if a bulk size certainly exceeds
 * it.
 */
export function checkBulkSizes(plan: Pick<Plan, 'cells'>, limit: number | undefined): string[] {
  if (limit === undefined) return [];
  const setting = `http.max_content_length (${settingSize(limit)} here)`;
  const notes = new Set<string>();
  for (const { definition } of plan.cells) {
    for (const { name, ingest } of definition.tasks) {
      if (ingest === undefined) continue;
      const { bytes, docs } = ingest.bulk;
      const path = `tasks.${name}.ingest.bulk`;
      if (bytes !== undefined) {
        if (parseBytes(bytes)! <= limit) continue;
        throw inputError(
          'target.bulk-too-large',
          `${path}.bytes`,
          `the target refuses bulks above ${setting} with 413`,
          { found: bytes, allowed: `at most ${settingSize(limit)}` },
        );
      }
      const each = documentBytes(ingest.source);
      if (each === undefined || docs === undefined) continue;
      const size = docs * each;
      if (size > limit * (1 + UNCERTAINTY))
        throw inputError(
          'target.bulk-too-large',
          `${path}.docs`,
          `the target refuses bulks above ${setting} with 413, and these have about ${settingSize(size)}`,
          {
            found: formatNumber(docs),
            allowed: `about ${formatNumber(Math.floor(limit / each))} documents at most`,
          },
        );
      if (size > limit * (1 - UNCERTAINTY))
        notes.add(
          `bulks of ${formatNumber(docs)} documents (${path}.docs) have about ${settingSize(size)}: the target refuses those ` +
            `above ${setting} with 413`,
        );
    }
  }
  return [...notes];
}
