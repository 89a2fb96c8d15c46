/**
 * The stores of `storefront`, modelled on the published benchmark `bigcommerce-tenants`. There are about 7000 stores. Some stores have tens
 * of products, and some have more than 3 million of all 31 million products. Stores with odd numbers have 61% of the products, but get only
 * half of the searches.
 */
import { createRandom, shuffled, type Random } from '../../random';
import { AliasDraw } from '../alias-draw';
import { writeWhole } from '../number-text';
import type { Part } from '../template';

export const STORES = 7000;
const FIRST_ID = 100_000;
const ODD_SHARE_OF_PRODUCTS = 0.61;
const ODD_SHARE_OF_SEARCHES = 0.5;

/**
 * Returns the relative number of products in a store, by the store's rank: (rank + 4)^-1.6 (Zipf and Mandelbrot). With 31 million products,
 * the largest store has 3.5 million products, and the smallest one 33. The published benchmark reports more than 3 million for the largest
 * store, and 10 to 100 for the smallest ones.
 */
const sizeOf = (rank: number): number => (rank + 4) ** -1.6;

export interface Store {
  /** Number of the store, with six digits. */
  id: number;
  /** Number of products, relative to the other stores. */
  size: number;
}

/**
 * Returns the stores from the largest to the smallest. Half of them have odd numbers. The number of a store does not depend on its size.
 */
export function makeStores(): Store[] {
  const random = createRandom(0x5704e);
  const half = Array.from({ length: STORES / 2 }, (_, at) => FIRST_ID + 2 * at);
  const even = shuffled(half, random);
  const odd = shuffled(half, random).map((id) => id + 1);
  let all = 0;
  let ofOdd = 0;
  return Array.from({ length: STORES }, (_, at) => {
    const size = sizeOf(at + 1);
    const isOdd = even.length === 0 || (odd.length > 0 && ofOdd < ODD_SHARE_OF_PRODUCTS * all);
    all += size;
    if (isOdd) ofOdd += size;
    return { id: (isOdd ? odd : even).pop()!, size };
  });
}

/**
 * Returns how often each store is searched, relative to the other stores. Larger stores are searched more often. Together, however, the
 * stores with odd numbers and those with even numbers each get half of all searches.
 */
function searchWeights(stores: readonly Store[]): number[] {
  const total = [0, 0];
  for (const { id, size } of stores) total[id % 2]! += size;
  const share = [1 - ODD_SHARE_OF_SEARCHES, ODD_SHARE_OF_SEARCHES];
  return stores.map(({ id, size }) => (share[id % 2]! * size) / total[id % 2]!);
}

const storeId = (stores: readonly Store[], weights: readonly number[]): Part => {
  const ids = Int32Array.from(stores, ({ id }) => id);
  const draw = new AliasDraw(weights);
  return {
    kind: 'written',
    longest: 6,
    write: (random: Random, out, at) => writeWhole(out, at, ids[draw.draw(random)]!),
  };
};

/** Returns the part of a product's template that writes the number of its store. Large stores occur more often. */
export function storeOfProduct(): Part {
  const stores = makeStores();
  return storeId(
    stores,
    stores.map(({ size }) => size),
  );
}

/**
 * Returns the part of a log line that writes the number of the searched store. The stores occur with the frequencies of {@link
 * searchWeights}.
 */
export function storeOfSearch(): Part {
  const stores = makeStores();
  return storeId(stores, searchWeights(stores));
}
