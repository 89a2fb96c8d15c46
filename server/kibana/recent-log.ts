/** The newest lines that Dyno wrote to Kibana's log, for the support bundle: where that log goes only Kibana knows. */
import type { Logger } from './sdk';

/** Lines that are kept. */
const MOST = 1000;

export interface RecentLog {
  /** Writes to the log that was given, too. */
  log: Logger;
  /** The oldest first. */
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
