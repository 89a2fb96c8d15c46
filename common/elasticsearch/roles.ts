/** Meaning of the roles of a node. */

/** Returns whether the node has shards of ordinary indices. A frozen tier only has mounted snapshots, never an index of a trial. */
export const holdsData = (roles: readonly string[]): boolean =>
  roles.some((role) => role === 'data' || (role.startsWith('data_') && role !== 'data_frozen'));

/** Returns the number of nodes with data; null if the list is empty. */
export const dataNodesAmong = (nodes: readonly { roles: readonly string[] }[]): number | null =>
  nodes.length === 0 ? null : nodes.filter(({ roles }) => holdsData(roles)).length;
