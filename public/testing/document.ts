/** Browser features that components need and jsdom lacks. */
import { configure } from '@testing-library/dom';

configure({
  // The timeout is long, because both cores may be busy with other tests.
  asyncUtilTimeout: 15_000,
  // Hidden elements count as visible, because jsdom needs a hundred times as long for this check as for everything else. The tests in
  // Chromium check visibility.
  defaultHidden: true,
});

window.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;

/**
 * Code editors request computed styles all the time to measure their text. jsdom needs a hundred times as long for this as a browser.
 * Therefore, editors get empty styles.
 */
const { getComputedStyle } = window;
const UNSTYLED = document.createElement('div').style;
window.getComputedStyle = (element, pseudo) =>
  element.closest('.cm-editor') === null ? getComputedStyle(element, pseudo) : UNSTYLED;
Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect ??= () => document.documentElement.getBoundingClientRect();

window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

/** A replacement that does nothing. Components need the class, but in jsdom no element ever has a size. */
window.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
