/**
 * Reads and writes the mark in a dashboard: the version of Dyno's dashboard, and the time of its installation. The mark is a Markdown link
 * definition in the text of a panel. As the text never uses this link, the mark is not visible, and Kibana's migrations keep it.
 */
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import { parseTime } from '../../../common/units/time';

/**
 * Number of panels that show node metrics over time, plus the number of node metrics in panels by cell. It is a part of the version of the
 * dashboards.
 */
const OF_METRICS = NODE_METRICS.flatMap(({ panel, byCell }) => [panel, byCell]).filter(
  (shown) => shown !== undefined,
).length;

/**
 * Version of the dashboards. Raise the number with every change of a dashboard, so that users are offered the update. The number of `panel`
 * and `byCell` entries of node metrics is added, so that a new entry raises the version automatically. Raise the number as well if such an
 * entry is removed or changed.
 */
export const DASHBOARDS_VERSION = 5 + OF_METRICS;

export interface Mark {
  version: number;
  /** Time of the installation by the clock of Kibana, ISO 8601 in UTC. */
  installed: string;
}

const LABEL = 'dyno-dashboard';

export const markText = ({ version, installed }: Mark): string => `[${LABEL}]: # (${version} ${installed})`;

/** Reads the mark from `panels`, which is JSON. Undefined if a user has removed it. */
export function readMark(panels: string): Mark | undefined {
  const found = new RegExp(`\\[${LABEL}\\]: # \\((\\d+) ([\\d:.TZ-]+)\\)`).exec(panels);
  const installed = found?.[2] ?? '';
  return Number.isNaN(parseTime(installed)) ? undefined : { version: Number(found?.[1]), installed };
}

/**
 * Maximum time in ms that an installation takes. If Kibana stored an object later than this after the recorded start of its installation, a
 * user has changed the object. Nobody opens, changes and saves a dashboard in less time.
 */
export const INSTALLING_MS = 5000;

/** Returns whether an object that was last stored at `updated` (ISO 8601) has been changed since its installation. */
export const isChangedSince = ({ installed }: Mark, updated: string | undefined): boolean =>
  updated !== undefined && parseTime(updated) > parseTime(installed) + INSTALLING_MS;
