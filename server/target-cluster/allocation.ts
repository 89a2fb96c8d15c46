/** Checks that the target has nodes to which indices may be allocated, by their attributes (`node.attr.*`). */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { holdsData } from '../../common/elasticsearch/roles';
import { inputError } from '../../common/problem';
import { having } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { askIfOffered } from './answer';

interface Attributed {
  roles?: string[];
  attributes?: Record<string, string>;
}

/**
 * Checks that the target has nodes to which indices may be allocated. Rejects with a DynoError `target.no-such-nodes` (input) if no data
 * node has the attribute with one of the requested values. Does nothing if the cluster does not report attributes.
 */
export async function checkAllocation(
  client: ElasticsearchClient,
  { attribute, values }: { attribute: string; values: readonly string[] },
): Promise<void> {
  const answer = await askIfOffered(
    client,
    api.nodes('_all/jvm', ['roles', 'attributes'], having<Attributed>()),
    'ask for the attributes of the nodes (cluster privilege `monitor`)',
  );
  if (answer?.nodes === undefined) return;
  const there = new Set(
    Object.values(answer.nodes).flatMap(({ roles = ['data'], attributes = {} }) =>
      holdsData(roles) && attributes[attribute] !== undefined ? [attributes[attribute]] : [],
    ),
  );
  const missing = values.filter((value) => !there.has(value));
  if (missing.length === 0) return;
  throw inputError(
    'target.no-such-nodes',
    'index.allocation',
    `no data node has the attribute ${attribute} with this value, so no shard could be allocated`,
    {
      found: missing.join(', '),
      allowed:
        there.size === 0 ? `none: no data node has node.attr.${attribute}` : [...there].sort().join(', '),
    },
  );
}
