/**
 * Keeps the newest lines that Dyno wrote to Kibana's log. They become part of the support bundle, because Dyno does not know where Kibana
 * stores its log.
 */
import type { Logger } from './sdk';

/** Maximum number of lines. */
const MOST = 1000;

export interface RecentLog {
  /** A logger that keeps the lines and passes them on to Kibana's logger. */
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
