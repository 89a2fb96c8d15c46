/** What the cluster costs: `environment.price`, a label that is read as money where it begins with a number. */
import type { Problem } from '../problem';
import type { TrialDocument } from '../measurement/trial';
import type { Environment } from './environment';
import { environmentsOf } from './environment-blocks';
import { definitionOf, type Plan } from './plan';
import type { ResolvedCell } from './resolved-cells';

/** The name in an environment. */
export const PRICE = 'price';

export interface Price {
  /** Per hour, in the currency; of each node, or of the cluster as a whole. */
  amount: number;
  currency: string;
  per: 'node' | 'cluster';
  /** `2026-11-01`: the day on which it was asked for. */
  date: string;
}

/** For messages. */
export const PRICE_FORM =
  'such as "1.92 EUR per hour and node, 2026-11-01", or "5.76 EUR per hour, 2026-11-01" for the cluster as a whole';

const FORM =
  /^(\d+(?:\.\d+)?) (\p{L}{1,10}|\p{Sc}) per hour( and node)?, (\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))$/u;

/** Undefined where `text` is no price. */
export function parsePrice(text: string): Price | undefined {
  const [, amount, currency, node, date] = FORM.exec(text.trim()) ?? [];
  if (amount === undefined || Number(amount) === 0) return undefined;
  return {
    amount: Number(amount),
    currency: currency!,
    per: node === undefined ? 'cluster' : 'node',
    date: date!,
  };
}

/** Of an environment; undefined for none, and for a label of that name that tells no money (`price: premium`). */
export const priceOf = ({ price }: Environment): Price | undefined =>
  price === undefined ? undefined : parsePrice(price);

/** Prices that cannot be read, each once. */
export const priceProblems = (cells: readonly ResolvedCell[]): Problem[] => {
  const found = environmentsOf(cells).flatMap(({ price }) =>
    price !== undefined && /^[\d.]/.test(price) && parsePrice(price) === undefined ? [price] : [],
  );
  return [...new Set(found)].map((price) => ({
    code: 'environment.price',
    path: `environment.${PRICE}`,
    message: 'not a price',
    found: price,
    allowed: PRICE_FORM,
  }));
};

/** Nodes of the cluster in which the trial ran; null where nothing tells. */
const nodesOf = ({ nodes }: Environment, { server }: Pick<TrialDocument, 'server'>): number | null =>
  server?.nodes ?? (nodes !== undefined && /^\d+$/.test(nodes) ? Number(nodes) : null);

/** What an hour of the whole cluster cost in the trial; null without a price, or where its nodes are not known. */
export function hourlyCost(environment: Environment, trial: Pick<TrialDocument, 'server'>): number | null {
  const price = priceOf(environment);
  if (price === undefined) return null;
  if (price.per === 'cluster') return price.amount;
  const nodes = nodesOf(environment, trial);
  return nodes === null ? null : price.amount * nodes;
}

/** The same of a trial of a plan. */
export const hourlyIn = (
  plan: Pick<Plan, 'cells'>,
  trial: Pick<TrialDocument, 'server' | 'cell'>,
): number | null => hourlyCost(definitionOf(plan, trial).environment, trial);
