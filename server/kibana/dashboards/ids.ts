/** Names of what is installed: the same at every installation, and another one in every space. */
import type { DashboardKind } from '../../../common/api/dashboards';
import type { SpaceId } from '../../results/space';

/**
 * An id is one in all spaces of Kibana: without the space in it the second space would be given other ids than these, and
 * a copy of ours there would be taken for ours.
 */
export const dashboardId = (kind: DashboardKind, space: SpaceId): string => `dyno-${kind}-${space}`;

export type DataViewName = 'runs' | 'trials' | 'samples' | 'metrics';

export const dataViewId = (name: DataViewName, space: SpaceId): string => `dyno-${name}-${space}`;
