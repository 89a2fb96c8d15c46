/** What the roles of a node say. */

/** Carries shards of ordinary indices. A frozen tier holds mounted snapshots only, never an index that a trial creates. */
export const holdsData = (roles: readonly string[]): boolean =>
  roles.some((role) => role === 'data' || (role.startsWith('data_') && role !== 'data_frozen'));

/** How many of them hold data; null where the cluster tells of no node. */
export const dataNodesAmong = (nodes: readonly { roles: readonly string[] }[]): number | null =>
  nodes.length === 0 ? null : nodes.filter(({ roles }) => holdsData(roles)).length;
