/** Finds what Dyno leaves behind in Kibana's page: elements, styles and event listeners. */
import type { Page } from 'playwright-core';

/** Returns the elements and style sheets that Dyno has added to the page. Each is described by the beginning of its HTML. */
export const traces = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    [
      ...document.querySelectorAll('[class*="dyno"], [id*="dyno"], [data-emotion^="dyno"], [data-euiportal]'),
      ...[...document.querySelectorAll('style')].filter((style) => /^\\s*\\.\u037c/.test(style.textContent)),
    ].map((element) => element.outerHTML.slice(0, 120))`);

/**
 * Event listeners that libraries add to the document once and never remove: React for selections in text fields, and EUI for copying from
 * tables. They do nothing after Dyno's app was closed.
 */
const FOR_ALL_TIME = ['document selectionchange', 'document copy'];

/** Counts the listeners that Dyno's scripts add to `window` and `document`, in all pages that are loaded from now on. */
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

/** Returns the event listeners that still exist, such as `window resize`, except those in {@link FOR_ALL_TIME}. */
export async function leftListeners(page: Page): Promise<string[]> {
  const left = await page.evaluate<string[]>(
    '[...window.dynoListeners].filter(([, all]) => all.size > 0).map(([key]) => key)',
  );
  return left.filter((key) => !FOR_ALL_TIME.some((known) => key.startsWith(known)));
}
