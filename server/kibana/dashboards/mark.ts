/**
 * The mark within a dashboard that tells which version of ours it is and when it was installed. It stands in the text of
 * a panel, as a link that nothing refers to: Markdown draws nothing of it, and Kibana's migrations keep it.
 */
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import { parseTime } from '../../../common/units/time';

/** Version of the dashboards. Raise the number with every change of one, so that users are offered the update; a metric's panel raises it itself. */
export const DASHBOARDS_VERSION = 1 + NODE_METRICS.filter(({ panel }) => panel !== undefined).length;

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
 * Kibana writes down when an object was stored last, by the same clock, and keeps that through its own migrations. What
 * was stored later than this after the installation was stored by somebody else, ms: nobody opens, changes and saves a
 * dashboard within it.
 */
export const INSTALLING_MS = 5000;

/** Returns whether an object that was last stored at `updated` (ISO 8601) has been changed since its installation. */
export const isChangedSince = ({ installed }: Mark, updated: string | undefined): boolean =>
  updated !== undefined && parseTime(updated) > parseTime(installed) + INSTALLING_MS;
