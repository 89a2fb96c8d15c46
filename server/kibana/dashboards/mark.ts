/**
 * Reads and writes the mark in a dashboard: the version of Dyno's dashboard, and the time of its installation. The mark is a link
 * definition in the text of a panel. No text uses this link, so Markdown does not show it, and Kibana's migrations keep it.
 */
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import { parseTime } from '../../../common/units/time';

/** Number of panels of node metrics, and of measures in the panels that compare cells. */
const OF_METRICS = NODE_METRICS.flatMap(({ panel, byCell }) => [panel, byCell]).filter(
  (shown) => shown !== undefined,
).length;

/**
 * Version of the dashboards. Raise the number with every change of a dashboard, so that users are offered the update. The number of `panel`
 * and `byCell` entries of node metrics is added, so a new entry raises the version automatically. If an entry is removed or changed, raise
 * the number.
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
 * Time after the installation in ms. An object that was last stored later than this was changed by a user, because nobody opens, changes
 * and saves a dashboard in less time. Kibana records when an object was last stored. It uses the clock that the installation uses, and its
 * migrations do not change that time.
 */
export const INSTALLING_MS = 5000;

/** Returns whether an object that was last stored at `updated` (ISO 8601) has been changed since its installation. */
export const isChangedSince = ({ installed }: Mark, updated: string | undefined): boolean =>
  updated !== undefined && parseTime(updated) > parseTime(installed) + INSTALLING_MS;
