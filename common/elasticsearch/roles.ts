/** The meaning of the roles of a node for measurements. */

/**
 * Returns whether a node with these roles may have shards of ordinary indices. False for a node of the frozen tier, because it has only
 * mounted snapshots, never an index of a trial.
 */
export const holdsData = (roles: readonly string[]): boolean =>
  roles.some((role) => role === 'data' || (role.startsWith('data_') && role !== 'data_frozen'));

/** Returns how many of these nodes can have shards of ordinary indices; null if the list is empty. */
export const dataNodesAmong = (nodes: readonly { roles: readonly string[] }[]): number | null =>
  nodes.length === 0 ? null : nodes.filter(({ roles }) => holdsData(roles)).length;
