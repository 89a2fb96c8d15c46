/** Previews a few documents of a source, with a mapping for the documents. */
import type { DocumentPreview } from '../../../common/api/tries';
import { MAPPINGS_BY_NAME } from '../../../common/generators/registry';
import { guessedMapping } from '../../../common/generators/guessed-mapping';
import { vectorsMapping } from '../../../common/generators/vectors';
import { parsePlain } from '../../../common/json/exact';
import { generatorOf, profileOf, sourceJob, type SourceDefinition } from '../../../common/tasks/source';
import { sourceFile } from '../../load/sources/check';
import { openProfile } from '../../load/sources/profile';
import { linesOf, sampleDocuments } from './sample-documents';

/** Maximum number of characters of a document that are shown. */
const MOST_SHOWN = 16_384;
/** Number of documents from which a mapping is derived. */
const TO_GUESS_FROM = 100;

export interface PreviewOrder {
  source: SourceDefinition;
  seed: number;
  count: number;
}

/**
 * Returns the preview. Rejects with a DynoError if the source cannot be read. `folder`: folder to which the source's paths are relative.
 */
export async function previewDocuments(
  { source, seed, count }: PreviewOrder,
  folder: string,
  signal: AbortSignal,
): Promise<DocumentPreview> {
  const job = { source: sourceJob(source, (file) => sourceFile(file, folder)) };
  const known = knownMapping(source, folder);
  const made = await sampleDocuments({
    job,
    seed,
    count: known === undefined ? TO_GUESS_FROM : count,
    signal,
  });
  const lines = linesOf(made);
  return {
    documents: lines
      .slice(0, count)
      .map((line) => ({ text: line.slice(0, MOST_SHOWN), bytes: Buffer.byteLength(line) })),
    mapping: { ...(known ?? guessedMapping(lines.map((line) => parsePlain(line)))) },
    isGuessed: known === undefined,
  };
}

function knownMapping(
  source: SourceDefinition,
  folder: string,
): Readonly<Record<string, unknown>> | undefined {
  const generator = generatorOf(source);
  if (generator !== undefined) return MAPPINGS_BY_NAME[generator];
  const profile = profileOf(source);
  if (profile !== undefined) return openProfile(sourceFile(profile, folder)).mapping;
  return source.vectors === undefined ? undefined : vectorsMapping(source.vectors);
}
