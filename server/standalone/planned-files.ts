/** What `dyno plan` says about the files of documents that a definition names: how much they hold, and whether that lasts. */
import type { CellDefinition } from '../../common/experiment/cell-definition';
import { durationMs, type SourceDefinition, type TaskDefinition } from '../../common/experiment/definition';
import { sentWithin, type Plan } from '../../common/experiment/plan';
import { DynoError } from '../../common/problem';
import { formatBytes, formatDuration, formatNumber, plural } from '../../common/units/format';
import { sourceFile } from '../load/sources/check';
import { countDocuments, type CountedDocuments } from '../load/sources/count';

type Counted = CountedDocuments | { why: string };

/** Counts a file; files that cannot be read are for the preflight to refuse, since a plan may be made elsewhere. */
async function counted(file: string, folder: string): Promise<Counted> {
  try {
    return await countDocuments(sourceFile(file, folder));
  } catch (error) {
    if (error instanceof DynoError) return { why: error.problems[0]!.message };
    return { why: `cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const HOW = { exactly: '', about: 'about ', 'at-least': 'at least ' } as const;

/** Whether a file that repeats itself, or of which only a part was counted, may hold more than its count. */
const mayHoldMore = (source: SourceDefinition, { how }: CountedDocuments): boolean =>
  source.repeat || how === 'at-least';

/** Whether the file of an ingest task lasts; '' if it does, or if that cannot be known. */
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
    ? `At ${formatBytes(rate * documentBytes)}/s, which is assumed since the cluster sets the pace`
    : `At ${formatNumber(rate)} documents/s`;
  return (
    `Warning: ${pace}, the file ends before the measured phase: it lasts ` +
    `${lastsMs < 1000 ? 'under 1s' : `about ${formatDuration(lastsMs)}`} of a warm-up of ${formatDuration(warmupMs)}. ` +
    'Use a larger file, a shorter warm-up, or measure.documents.'
  );
}

/** A line for each file of documents, and one more if it does not last, each once for all cells. */
export async function fileSentences({ cells }: Pick<Plan, 'cells'>, folder: string): Promise<string[]> {
  const files = new Map<string, Promise<Counted>>();
  const countOf = (file: string): Promise<Counted> => {
    const known = files.get(file) ?? counted(file, folder);
    files.set(file, known);
    return known;
  };
  const sentences = new Set<string>();
  const tell = async (
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
    sentences.add(`${name}: ${file} holds ${HOW[found.how]}${plural(found.documents, 'document')}`);
    const warning = more(found);
    if (warning !== '') sentences.add(warning);
  };
  for (const { definition: own } of cells) {
    const { preload } = own;
    if (preload?.source !== undefined) {
      const { source, documents } = preload;
      await tell('preload', source, (found) =>
        mayHoldMore(source, found) || found.documents >= documents
          ? ''
          : `Warning: preload asks for ${plural(documents, 'document')}, more than the file holds.`,
      );
    }
    for (const task of own.tasks)
      if (task.ingest) await tell(task.name, task.ingest.source, (found) => lasts(own, task, found));
  }
  return [...sentences];
}
