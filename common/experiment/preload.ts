/** Finds the source of the documents that are loaded before a trial, and checks the settings of this preload. */
import type { Problem } from '../problem';
import { writes } from '../tasks/registry';
import { sourceProblems } from '../tasks/source';
import { writeIndexProblems } from '../tasks/writes';
import type { Definition, SourceDefinition } from './definition';

type Parts = Pick<Definition, 'preload' | 'tasks'>;

/** Returns the source of the preloaded documents: that of the preload, or else of the first task that has one. Undefined without any. */
export const preloadSource = ({ preload, tasks }: Parts): SourceDefinition | undefined =>
  preload?.source ?? tasks.find(({ ingest }) => ingest)?.ingest?.source;

/** Returns all sources of documents of a definition, first the preload's. */
export const documentSources = (definition: Parts): SourceDefinition[] => [
  ...(definition.preload?.source ? [definition.preload.source] : []),
  ...definition.tasks.flatMap(({ ingest }) => (ingest ? [ingest.source] : [])),
];

export function checkPreload(definition: Parts & Pick<Definition, 'index'>): Problem[] {
  const { index, preload, tasks } = definition;
  if (preload === undefined) return [];
  const problems: Problem[] =
    preload.source === undefined ? [] : sourceProblems(preload.source, 'preload.source');
  if (preloadSource(definition) === undefined) {
    problems.push({
      code: 'definition.preload-source',
      path: 'preload.source',
      message: 'no task defines the documents',
      allowed: 'generator: a name, or file: a path',
    });
  }
  if (preload.routing !== undefined)
    problems.push(...writeIndexProblems({ routing: preload.routing }, 'preload', index));
  const writer = tasks.findIndex(writes);
  if (preload.reuse === 'same' && writer >= 0) {
    problems.push({
      code: 'definition.preload-reuse',
      path: 'preload.reuse',
      message: `trials cannot share indices because tasks[${writer}] writes to them`,
      found: 'same',
      allowed: 'copy, never',
    });
  }
  return problems;
}
