/** The webhook that is told what became known of a history: by `dyno watch`, and by the server after scheduled runs. */
import { fetch, EnvHttpProxyAgent } from 'undici';
import type { WatchNotice } from '../../common/history/watch';
import { inputError, messageOf, runError, type DynoError } from '../../common/problem';

const WEBHOOK_MS = 10_000;

/** `setting`: where the address was given, for errors. Rejects with a DynoError (run) unless it was taken. */
export async function postNotice(url: string, notice: WatchNotice, setting: string): Promise<void> {
  const failure = (why: string, cause?: unknown): DynoError =>
    runError('watch.webhook', setting, `the webhook did not take what changed: ${why}`, cause);
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(notice),
      signal: AbortSignal.timeout(WEBHOOK_MS),
      dispatcher,
    }).catch((error: unknown) => {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      throw failure(messageOf(cause), error);
    });
    if (!ok) throw failure(`it answered ${status}, and not with a status from 200 to 299`);
  } finally {
    await dispatcher.destroy();
  }
}

/** Throws a DynoError (input) for what is no address of a webhook. The address may hold a secret: it is not repeated. */
export function checkWebhook(url: string, setting: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw inputError('command.webhook', setting, 'not the address of a webhook', {
      allowed: 'a URL that begins with https:// or http://',
    });
}
