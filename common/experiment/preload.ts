/** Documents that are in the indices before anything is measured: where they come from, and what must fit to them. */
import type { Problem } from '../problem';
import { writes } from '../tasks/registry';
import { sourceProblems } from '../tasks/source';
import { writeIndexProblems } from '../tasks/writes';
import type { Definition, SourceDefinition } from './definition';

type Parts = Pick<Definition, 'preload' | 'tasks'>;

/** Undefined where neither the preload nor a task names one. */
export const preloadSource = ({ preload, tasks }: Parts): SourceDefinition | undefined =>
  preload?.source ?? tasks.find(({ ingest }) => ingest)?.ingest?.source;

/** All sources of documents of a definition, those of the preload first. */
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
