/**
 * Checks whether each trial ran on the nodes that the cluster had when the run began or continued. Dyno sends requests only to those nodes.
 */
import { type PlaceFacts, type Provenance, placeAt } from '../experiment/run';
import type { TrialDocument } from '../measurement/trial';
import { listed } from './wording';
import { plural } from '../units/format';

interface Changed {
  orders: number[];
  found: string[];
  names: string[];
}

/**
 * Returns warnings about trials whose nodes differ from those of the cluster when the run began or continued. Trials during which a node
 * joined or left are skipped, because another warning covers them.
 */
export function nodeChangeWarnings(
  provenance: Provenance | null,
  trials: readonly TrialDocument[],
): string[] {
  const kinds = new Map<string, Changed>();
  for (const { trial, times, server } of trials) {
    const place = placeAt(provenance, times.started);
    if (!server?.perNode || server.partial || !place || place.nodes.length === 0) continue;
    const names = server.perNode.map(({ name }) => name).sort();
    const found = namesIn(place);
    if (names.join() === found.join()) continue;
    const key = JSON.stringify([found, names]);
    const changed = kinds.get(key) ?? { orders: [], found, names };
    changed.orders.push(trial.order);
    kinds.set(key, changed);
  }
  return [...kinds.values()].map(sentence);
}

const namesIn = ({ nodes }: PlaceFacts): string[] => nodes.map(({ name }) => name).sort();

function sentence({ orders, found, names }: Changed): string {
  const which = listed(
    orders.sort((a, b) => a - b).map((order) => `#${order + 1}`),
    6,
  );
  return (
    `The cluster had ${plural(names.length, 'node')} (${listed(names, 4)}) in ${plural(orders.length, 'trial')} (${which}), ` +
    `but ${found.length} (${listed(found, 4)}) when the run began or continued. Requests went only to the latter, and the facts ` +
    'about machines are only about those.'
  );
}
