/** Routes of Dyno's Kibana dashboards: their state in the user's space, and their installation. */
import * as z from 'zod';
import { route } from './route';

/**
 * Kinds of dashboards: results of runs; results over time; transactions; pressure on the nodes (queues, rejections); causes of waiting on
 * the nodes (merges, garbage collection, disks, network).
 */
export const DASHBOARD_KINDS = ['overview', 'history', 'transactions', 'pressure', 'waiting'] as const;
const kind = z.enum(DASHBOARD_KINDS);
export type DashboardKind = z.output<typeof kind>;

export const dashboardSchema = z.object({
  kind,
  /** Id of the dashboard in this space of Kibana. */
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /**
   * Whether the dashboard is installed and unchanged. `older`: an older version of Dyno installed it, or its data views are missing.
   * `changed`: a user has edited it, so Dyno replaces it only after a confirmation.
   */
  state: z.enum(['missing', 'current', 'older', 'changed']),
  /** Time of the installation, ISO 8601, UTC; null if unknown. */
  installed: z.string().nullable(),
  updated: z.string().nullable(),
});
export type Dashboard = z.output<typeof dashboardSchema>;

export const dashboardsSchema = z.object({
  /** The user's space in Kibana. Null on the standalone server, which has no dashboards. */
  space: z.string().nullable(),
  dashboards: z.array(dashboardSchema),
});
export type Dashboards = z.output<typeof dashboardsSchema>;

export const DASHBOARD_ROUTES = {
  listDashboards: route({
    method: 'GET',
    path: '/api/dyno/dashboards',
    summary: 'The dashboards of this space, and whether each one is installed and unchanged',
    privilege: 'read',
    answer: 'json',
    response: dashboardsSchema,
  }),
  installDashboards: route({
    method: 'POST',
    path: '/api/dyno/dashboards',
    summary: 'Install missing dashboards and update older ones in this space; edited ones only if named',
    privilege: 'manage',
    body: z.strictObject({
      /** Kinds of dashboards to replace even if users have edited them. */
      replace: z.array(kind).max(DASHBOARD_KINDS.length).default([]),
    }),
    answer: 'json',
    response: dashboardsSchema,
  }),
};
