/** Sends changes of metrics over the runs of an experiment to a webhook: for `dyno watch`, and for the server after scheduled runs. */
import { fetch } from 'undici';
import type { WatchNotice } from '../../common/history/watch';
import { messageOf, runError, type DynoError } from '../../common/problem';
import { outgoing, outgoingAddress, type OutgoingAddress } from './proxies';

const WEBHOOK_MS = 10_000;

/**
 * Sends a notice. Rejects with a DynoError unless the webhook accepts the notice. `setting`: name of the option that contains the address;
 * errors name it.
 */
export async function postNotice(address: string, notice: WatchNotice, setting: string): Promise<void> {
  const failure = (why: string, cause?: unknown): DynoError =>
    runError('watch.webhook', setting, `the webhook did not accept the notice: ${why}`, cause);
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
    if (!ok) throw failure(`it answered with status ${status} instead of 200 to 299`);
  } finally {
    await dispatcher.destroy();
  }
}

/** Checks the address of a webhook. Throws an input error if this address is invalid, or the address of the proxy that Dyno would use. */
export function checkWebhook(address: string, setting: string): void {
  addressOf(address, setting);
  void outgoing().close();
}

/** Parses the address of a webhook. Errors do not show the complete address, because it may contain a secret. */
const addressOf = (address: string, setting: string): OutgoingAddress =>
  outgoingAddress(address, {
    code: 'command.webhook',
    setting,
    allowed: 'a URL that begins with https:// or http://',
    webhook: true,
  });
