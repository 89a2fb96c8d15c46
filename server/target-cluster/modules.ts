/** Which modules the target's nodes have, and whether tasks need others. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { unmetNeeds, WAY_OUT } from '../../common/elasticsearch/modules';
import { DynoError } from '../../common/problem';
import { askIfOffered, byNode } from './answer';

const plugins = byNode(z.looseObject({ modules: z.array(z.looseObject({ name: z.string() })).optional() }));

/** Names of the modules that all nodes have; null where the cluster does not tell. Rejects as the client does. */
export async function readModules(client: ElasticsearchClient): Promise<ReadonlySet<string> | null> {
  const told = await askIfOffered(
    client,
    { method: 'GET', path: '/_nodes/plugins', query: { filter_path: 'nodes.*.modules.name' } },
    'ask which modules the nodes have (cluster privilege `monitor`)',
    plugins,
  );
  const nodes = Object.values(told?.nodes ?? {}).map(
    ({ modules = [] }) => new Set(modules.map(({ name }) => name)),
  );
  const [first, ...others] = nodes;
  if (first === undefined || first.size === 0) return null;
  return new Set([...first].filter((name) => others.every((node) => node.has(name))));
}

/**
 * Rejects with a DynoError `target.no-module` (input) that names each module that the tasks need and a reduced distribution lacks: under
 * load, each request would fail for want of it.
 */
export async function checkModules(client: ElasticsearchClient, tasks: unknown): Promise<void> {
  const modules = await readModules(client);
  const unmet = modules === null ? [] : unmetNeeds(tasks, modules);
  if (unmet.length === 0) return;
  throw new DynoError(
    'input',
    unmet.map((message) => ({
      code: 'target.no-module',
      path: 'tasks',
      message,
      allowed: WAY_OUT.replace(/^The/, 'the'),
    })),
  );
}
