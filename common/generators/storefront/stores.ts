/**
 * The stores of `storefront`, after the published benchmark `bigcommerce-tenants`: about 7000 stores. Some have tens of products, and some
 * have more than 3 million of all 31 million products. Stores with odd numbers have 61% of the products, but receive only half of the
 * searches.
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
 * Size of a store by its rank, after Zipf and Mandelbrot: the store of rank r has a weight of (r + 4)^-1.6. Of 31 million products, the
 * first store then has 3.5 million and the last one 33. The benchmark reports more than 3 million and 10 to 100, respectively.
 */
const sizeOf = (rank: number): number => (rank + 4) ** -1.6;

export interface Store {
  /** Number of the store, with six digits. */
  id: number;
  /** Relative number of products. */
  size: number;
}

/** Returns the stores from the largest to the smallest. Half of them have odd numbers. A store's number does not depend on its size. */
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
 * Returns how often each store is searched, relative to the other stores. It is proportional to the size of the store, separately for
 * stores with odd and even numbers.
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

/** Returns the number of a product's store. */
export function storeOfProduct(): Part {
  const stores = makeStores();
  return storeId(
    stores,
    stores.map(({ size }) => size),
  );
}

/** Returns the number of the store in a search. Popular stores are searched more often, see {@link searchWeights}. */
export function storeOfSearch(): Part {
  const stores = makeStores();
  return storeId(stores, searchWeights(stores));
}
