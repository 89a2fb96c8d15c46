/**
 * Stores the newest lines that Dyno wrote to Kibana's log. The support bundle contains these lines. The log itself is not read, because
 * Dyno does not know where Kibana stores it.
 */
import type { Logger } from './sdk';

/** Maximum number of lines that are stored. */
const MOST = 1000;

export interface RecentLog {
  /** A logger that stores the lines and passes them on to Kibana's logger. */
  log: Logger;
  /** Returns the lines, oldest first. */
  lines(): string[];
}

export function recentLog(log: Logger, most = MOST): RecentLog {
  const lines: string[] = [];
  const keep = (level: 'info' | 'warn' | 'error') => (message: string) => {
    lines.push(`${new Date().toISOString()} ${level.toUpperCase()} ${message}`);
    if (lines.length > most) lines.shift();
    log[level](message);
  };
  return {
    log: { info: keep('info'), warn: keep('warn'), error: keep('error') },
    lines: () => [...lines],
  };
}
