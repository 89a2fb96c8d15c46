/** Every experiment of the account `bigcommerce-tenants`, in its order. */
import type { Preset } from '../preset';
import { bigcommerceHosts } from './hosts';
import { bigcommerceIndices } from './indices';
import { bigcommerceShards } from './shards';

export const BIGCOMMERCE_TENANTS: readonly Preset[] = [
  bigcommerceShards,
  ...bigcommerceIndices,
  bigcommerceHosts,
];
