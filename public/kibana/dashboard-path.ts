/**
 * Creates the path of a dashboard in Kibana's app, with time range and query. Valid from 8.3 to 9.x: `_g` contains the time range, `_a` the
 * query, both in Rison. Source in Kibana's main: dashboard/public/dashboard_app/url/bwc/extract_search_state.ts.
 */
import type { DashboardView } from '../app/host';

/** Returns a Rison string: quoted, with `!` before special characters. */
const quoted = (text: string): string =>
  `'${encodeURIComponent(text.replaceAll(/[!']/g, (sign) => `!${sign}`))}'`;

/** Returns the text as a quoted string in KQL. */
const asKql = (text: string): string => `"${text.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;

/** Returns the path of a dashboard below `/app/dashboards`. */
export function dashboardPath(id: string, view?: DashboardView): string {
  const path = `#/view/${encodeURIComponent(id)}`;
  if (!view) return path;
  const { field, value, task, from, to } = view;
  const ofRun = `${field}: ${asKql(value)}`;
  // Documents without a task must match too, because trials and events of the collector have none.
  const kql = task === undefined ? ofRun : `${ofRun} and (task: ${asKql(task)} or not task: *)`;
  const global = `(time:(from:${quoted(from)},to:${quoted(to)}))`;
  const query = `(query:(language:kuery,query:${quoted(kql)}))`;
  return `${path}?_g=${global}&_a=${query}`;
}
