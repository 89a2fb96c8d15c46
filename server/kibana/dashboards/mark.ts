/**
 * Reads and writes the mark in a dashboard: the version of Dyno's dashboard, and the time of its installation. The mark is a Markdown link
 * definition in the text of a panel. Users do not see it, because the text contains no link that uses it. Kibana's migrations keep the
 * mark.
 */
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import { parseTime } from '../../../common/units/time';

/**
 * Number of panels of node metrics over time, plus number of node metrics that are shown by cell (combination of factor levels). It is part
 * of {@link DASHBOARDS_VERSION}.
 */
const OF_METRICS = NODE_METRICS.flatMap(({ panel, byCell }) => [panel, byCell]).filter(
  (shown) => shown !== undefined,
).length;

/**
 * Version of the dashboards. Increase the number whenever a dashboard changes, so that users are offered the update. New entries `panel`
 * and `byCell` of node metrics increase the version automatically. If such an entry is changed or removed, increase the number too.
 */
export const DASHBOARDS_VERSION = 5 + OF_METRICS;

export interface Mark {
  version: number;
  /** Time of the installation in ISO 8601 and UTC, from the clock of Kibana. */
  installed: string;
}

const LABEL = 'dyno-dashboard';

export const markText = ({ version, installed }: Mark): string => `[${LABEL}]: # (${version} ${installed})`;

/** Reads the mark. `panels`: the panels of a dashboard as JSON text. Undefined if a user has removed the mark. */
export function readMark(panels: string): Mark | undefined {
  const found = new RegExp(`\\[${LABEL}\\]: # \\((\\d+) ([\\d:.TZ-]+)\\)`).exec(panels);
  const installed = found?.[2] ?? '';
  return Number.isNaN(parseTime(installed)) ? undefined : { version: Number(found?.[1]), installed };
}

/**
 * Maximum duration of an installation, in ms. If Kibana stored a dashboard later than this after the start of its installation, a user has
 * changed the dashboard. Users need more time to open, change and save a dashboard.
 */
export const INSTALLING_MS = 5000;

/**
 * Returns whether a user has changed a dashboard since its installation. `updated`: time at which the dashboard was last stored, in ISO
 * 8601.
 */
export const isChangedSince = ({ installed }: Mark, updated: string | undefined): boolean =>
  updated !== undefined && parseTime(updated) > parseTime(installed) + INSTALLING_MS;
