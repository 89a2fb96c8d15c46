/** Ids of the installed objects. They are the same in every installation and differ between spaces. */
import type { DashboardKind } from '../../../common/api/dashboards';
import type { SpaceId } from '../../results/space';

/**
 * Returns the id of a dashboard. Ids are unique across all spaces of Kibana. Without the space in the id, a second space would get
 * other ids, and Dyno would mistake a copy of its dashboard there for the installed one.
 */
export const dashboardId = (kind: DashboardKind, space: SpaceId): string => `dyno-${kind}-${space}`;

export type DataViewName = 'runs' | 'trials' | 'samples' | 'metrics';

export const dataViewId = (name: DataViewName, space: SpaceId): string => `dyno-${name}-${space}`;
