/** Browser features that components need and jsdom lacks. */
import { configure } from '@testing-library/dom';

configure({
  // Both cores may be busy with other tests.
  asyncUtilTimeout: 15_000,
  // Whether styles hide an element takes jsdom a hundred times as long as everything else; the tests in Chromium see that.
  defaultHidden: true,
});

window.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;

/** Code editors measure their text. They ask for computed styles all the time, which takes jsdom a hundred times as long as a browser. */
const { getComputedStyle } = window;
const UNSTYLED = document.createElement('div').style;
window.getComputedStyle = (element, pseudo) =>
  element.closest('.cm-editor') === null ? getComputedStyle(element, pseudo) : UNSTYLED;
Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect ??= () => document.documentElement.getBoundingClientRect();

window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

/** Nothing has a size there, so charts stay undrawn. */
window.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
