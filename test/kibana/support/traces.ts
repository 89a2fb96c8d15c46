/** What of ours is in Kibana's page: elements, styles, listeners. */
import type { Page } from 'playwright-core';

/** Elements and style sheets, each as the beginning of its HTML. */
export const traces = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    [
      ...document.querySelectorAll('[class*="dyno"], [id*="dyno"], [data-emotion^="dyno"], [data-euiportal]'),
      ...[...document.querySelectorAll('style')].filter((style) => /^\\s*\\.\u037c/.test(style.textContent)),
    ].map((element) => element.outerHTML.slice(0, 120))`);

/**
 * Libraries that listen to the document once and for all, however often the app comes: React, for the selection in its
 * fields, and EUI, for what is copied out of its tables. Without the app they find nothing to do.
 */
const FOR_ALL_TIME = ['document selectionchange', 'document copy'];

/** From the next page on, counts who listens to window and document, as far as our scripts put them there. */
export const countListeners = (page: Page): Promise<unknown> =>
  page.addInitScript(`
    window.dynoListeners = new Map();
    for (const [name, target] of Object.entries({ window, document })) {
      const { addEventListener, removeEventListener } = target;
      const keyOf = (type, options) => name + ' ' + type + ' ' + !!(options?.capture ?? options);
      target.addEventListener = (type, listener, options) => {
        if (/[/]plugin[/]dyno[/]/.test(new Error().stack)) {
          const key = keyOf(type, options);
          const all = window.dynoListeners.get(key) ?? new Set();
          window.dynoListeners.set(key, all.add(listener));
          options?.signal?.addEventListener('abort', () => all.delete(listener));
        }
        return addEventListener.call(target, type, listener, options);
      };
      target.removeEventListener = (type, listener, options) => {
        window.dynoListeners.get(keyOf(type, options))?.delete(listener);
        return removeEventListener.call(target, type, listener, options);
      };
    }`);

/** Such as `window resize`, beside those that libraries leave for good reasons. */
export async function leftListeners(page: Page): Promise<string[]> {
  const left = await page.evaluate<string[]>(
    '[...window.dynoListeners].filter(([, all]) => all.size > 0).map(([key]) => key)',
  );
  return left.filter((key) => !FOR_ALL_TIME.some((known) => key.startsWith(known)));
}
