/** The webhook that is told what became known of a history: by `dyno watch`, and by the server after scheduled runs. */
import { fetch } from 'undici';
import type { WatchNotice } from '../../common/history/watch';
import { messageOf, runError, type DynoError } from '../../common/problem';
import { outgoing, outgoingAddress, type OutgoingAddress } from './proxies';

const WEBHOOK_MS = 10_000;

/** `setting`: where the address was given, for errors. Rejects with a DynoError (run) unless it was taken. */
export async function postNotice(address: string, notice: WatchNotice, setting: string): Promise<void> {
  const failure = (why: string, cause?: unknown): DynoError =>
    runError('watch.webhook', setting, `the webhook did not take what changed: ${why}`, cause);
  const { url, headers } = addressOf(address, setting);
  const dispatcher = outgoing();
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
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

/** Throws a DynoError (input) for what is no address of a webhook or of a proxy on the way to it. */
export function checkWebhook(address: string, setting: string): void {
  addressOf(address, setting);
  void outgoing().close();
}

/** The address may contain a secret: no more of it is shown than anyone may read. */
const addressOf = (address: string, setting: string): OutgoingAddress =>
  outgoingAddress(address, {
    code: 'command.webhook',
    setting,
    allowed: 'a URL that begins with https:// or http://',
    webhook: true,
  });
