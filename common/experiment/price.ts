/**
 * Price of the cluster, which a user states in the label `environment.price`. A value that does not begin with a number is an ordinary
 * label.
 */
import type { Problem } from '../problem';
import type { TrialDocument } from '../measurement/trial';
import type { Environment } from './environment';
import { environmentsOf } from './environment-blocks';
import { definitionOf, type Plan } from './plan';
import type { ResolvedCell } from './resolved-cells';

/** Name of the label. */
export const PRICE = 'price';

export interface Price {
  /** Price per hour in `currency`, for each node or for the whole cluster. */
  amount: number;
  currency: string;
  per: 'node' | 'cluster';
  /** Date on which the price was valid, such as `2026-11-01`. */
  date: string;
}

/** Description of the allowed format, for error messages. */
export const PRICE_FORM =
  'such as "1.92 EUR per hour and node, 2026-11-01", or "5.76 EUR per hour, 2026-11-01" for the cluster as a whole';

const FORM =
  /^(\d+(?:\.\d+)?) (\p{L}{1,10}|\p{Sc}) per hour( and node)?, (\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))$/u;

/** Parses a price. Returns undefined if the text is not a price. */
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

/**
 * Returns the price in the labels of an environment. Undefined if there is no label `price`, or if it is an ordinary label (`price:
 * premium`).
 */
export const priceOf = ({ price }: Environment): Price | undefined =>
  price === undefined ? undefined : parsePrice(price);

/** Returns a problem for each price that begins with a number but cannot be parsed. */
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

/**
 * Returns the number of nodes in the cluster of a trial: the number read during the trial, or else that in the label `nodes`. Null if both
 * are missing.
 */
const nodesOf = ({ nodes }: Environment, { server }: Pick<TrialDocument, 'server'>): number | null =>
  server?.nodes ?? (nodes !== undefined && /^\d+$/.test(nodes) ? Number(nodes) : null);

/**
 * Returns the price of the whole cluster per hour, in the currency of the label `price`. Null without a price, or if the price is per node
 * and the number of nodes is unknown.
 */
export function hourlyCost(environment: Environment, trial: Pick<TrialDocument, 'server'>): number | null {
  const price = priceOf(environment);
  if (price === undefined) return null;
  if (price.per === 'cluster') return price.amount;
  const nodes = nodesOf(environment, trial);
  return nodes === null ? null : price.amount * nodes;
}

/** Returns the price of the cluster per hour, for a trial of a plan. */
export const hourlyIn = (
  plan: Pick<Plan, 'cells'>,
  trial: Pick<TrialDocument, 'server' | 'cell'>,
): number | null => hourlyCost(definitionOf(plan, trial).environment, trial);
