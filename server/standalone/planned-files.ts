/** Sentences of `dyno plan` about the document files of a definition: how many documents they contain, and whether these are enough. */
import type { CellDefinition } from '../../common/experiment/cell-definition';
import { durationMs, type SourceDefinition, type TaskDefinition } from '../../common/experiment/definition';
import { sentWithin, type Plan } from '../../common/experiment/plan';
import { DynoError } from '../../common/problem';
import { formatBytes, formatDuration, formatNumber, plural } from '../../common/units/format';
import { sourceFile } from '../load/sources/check';
import { countDocuments, type CountedDocuments } from '../load/sources/count';

type Counted = CountedDocuments | { why: string };

/**
 * Counts the documents of a file. If the file cannot be read, returns the reason: a plan may be made on another machine than the run. The
 * run checks the file again.
 */
async function counted(file: string, folder: string): Promise<Counted> {
  try {
    return await countDocuments(sourceFile(file, folder));
  } catch (error) {
    if (error instanceof DynoError) return { why: error.problems[0]!.message };
    return { why: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const HOW = { exactly: '', about: 'about ', 'at-least': 'at least ' } as const;

/**
 * Returns whether the file may provide more documents than were counted. This is the case if the task reads the file repeatedly, or if Dyno
 * counted only a part of the file.
 */
const mayHoldMore = (source: SourceDefinition, { how }: CountedDocuments): boolean =>
  source.repeat || how === 'at-least';

/** Returns a warning if the file of an ingest task has too few documents. Returns '' if it has enough, or if Dyno cannot know this. */
function lasts(own: CellDefinition, task: TaskDefinition, found: CountedDocuments): string {
  const { source } = task.ingest!;
  const { documents, documentBytes } = found;
  if (mayHoldMore(source, found)) return '';
  const wanted = own.measure.documents;
  if (wanted !== undefined) {
    const share = Math.ceil(wanted / own.tasks.filter(({ ingest }) => ingest).length);
    if (documents >= share) return '';
    return `Warning: measure.documents asks for ${plural(share, 'document')} of it, so the file ends early.`;
  }
  const warmupMs = durationMs(own.measure.warmup);
  const before = sentWithin(own, task, warmupMs, Math.max(1, documentBytes));
  const rate = (before.documents * 1000) / Math.max(1, warmupMs);
  if (warmupMs === 0 || documents > before.documents) return '';
  const lastsMs = (documents * 1000) / rate;
  const pace = before.assumed
    ? `At ${formatBytes(rate * documentBytes)}/s (assumed, because the cluster limits the rate)`
    : `At ${formatNumber(rate)} documents/s`;
  return (
    `Warning: ${pace}, the file ends before the measured phase: it lasts ` +
    `${lastsMs < 1000 ? 'under 1s' : `about ${formatDuration(lastsMs)}`} of a warm-up of ${formatDuration(warmupMs)}. ` +
    'Use a larger file, a shorter warm-up, or measure.documents.'
  );
}

/**
 * Returns a sentence for each document file, with a warning if the file is too small. A sentence that is the same for several combinations
 * of factor levels appears once.
 */
export async function fileSentences({ cells }: Pick<Plan, 'cells'>, folder: string): Promise<string[]> {
  const files = new Map<string, Promise<Counted>>();
  const countOf = (file: string): Promise<Counted> => {
    const known = files.get(file) ?? counted(file, folder);
    files.set(file, known);
    return known;
  };
  const sentences = new Set<string>();
  const addSentences = async (
    name: string,
    { file }: SourceDefinition,
    more: (found: CountedDocuments) => string,
  ): Promise<void> => {
    if (file === undefined) return;
    const found = await countOf(file);
    if ('why' in found) {
      sentences.add(`${name}: ${file} ${found.why}`);
      return;
    }
    sentences.add(`${name}: ${file} contains ${HOW[found.how]}${plural(found.documents, 'document')}`);
    const warning = more(found);
    if (warning !== '') sentences.add(warning);
  };
  for (const { definition: own } of cells) {
    const { preload } = own;
    if (preload?.source !== undefined) {
      const { source, documents = 0 } = preload;
      await addSentences('preload', source, (found) =>
        mayHoldMore(source, found) || found.documents >= documents
          ? ''
          : `Warning: preload asks for ${plural(documents, 'document')}, more than the file contains.`,
      );
    }
    for (const task of own.tasks)
      if (task.ingest) await addSentences(task.name, task.ingest.source, (found) => lasts(own, task, found));
  }
  return [...sentences];
}
