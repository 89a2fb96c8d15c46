/** Reads which modules the target's nodes have, and warns about tasks that need missing modules. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { Use } from '../../common/elasticsearch/capabilities';
import { unmetNeeds, wayOut } from '../../common/elasticsearch/modules';
import { sentenceCase } from '../../common/units/format';
import * as api from '../elasticsearch/api';
import { askIfOffered } from './answer';

const named = z.array(z.looseObject({ name: z.string() })).default([]);
const plugins = z.looseObject({ modules: named, plugins: named });

/** Returns the names of the modules and plugins that all nodes have; null if the cluster does not report them. Rejects with the client's error. */
export async function readModules(client: ElasticsearchClient): Promise<ReadonlySet<string> | null> {
  const answer = await askIfOffered(
    client,
    api.nodes('plugins', ['modules.name', 'plugins.name'], plugins),
    'ask which modules the nodes have (cluster privilege `monitor`)',
  );
  const nodes = Object.values(answer?.nodes ?? {}).map(
    ({ modules, plugins: own }) => new Set([...modules, ...own].map(({ name }) => name)),
  );
  const [first, ...others] = nodes;
  if (first === undefined || first.size === 0) return null;
  return new Set([...first].filter((name) => others.every((node) => node.has(name))));
}

/**
 * Returns a warning for each missing module that `uses` or the scripts in `tasks` of the definition need. A reduced distribution of Elasticsearch may lack
 * modules. Requests that need such a module will fail, but all other requests are measured. `modules`: names of the existing modules; null
 * if they are unknown.
 */
export function moduleWarnings(
  modules: ReadonlySet<string> | null,
  uses: readonly Pick<Use, 'aspect' | 'name'>[],
  tasks: unknown,
): string[] {
  const unmet = modules === null ? [] : unmetNeeds(uses, tasks, modules);
  return unmet.map(
    ({ module, message }) => `${sentenceCase(message)}: requests that use it will fail. ${wayOut(module)}.`,
  );
}
