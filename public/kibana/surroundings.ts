/** Dyno's elements in Kibana's page that are outside of the app's own element: dialogs, tooltips and style sheets. */

import { ROOT_CLASS } from './root-class';
import { STYLES } from './styles';

/** CSS variable with the height of fixed headers, set by EUI. Sticky and floating elements stay below it. */
const HEADERS = '--euiFixedHeadersOffset';

export interface Surroundings {
  /** Dialogs, menus and tooltips are inserted before this element. */
  portals: HTMLElement;
  /** Removes the elements that were created for the app. */
  leave(): void;
}

const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowY);

/**
 * Returns whether the app scrolls in an element below Kibana's headers, as in newer versions of Kibana. In older versions, the whole
 * document scrolls.
 */
function scrollsByItself(element: HTMLElement): boolean {
  for (let above: Element | null = element; above && above !== document.body; above = above.parentElement) {
    if (scrolls(above)) return true;
  }
  return false;
}

/**
 * Returns the height of Kibana's fixed headers above the app, as a CSS length. It is 0 if the app scrolls in an element below the headers.
 * Undefined if the document already sets EUI's variable for this height.
 */
function headersAbove(element: HTMLElement): string | undefined {
  if (scrollsByItself(element)) return '0px';
  const height = getComputedStyle(document.documentElement).getPropertyValue(HEADERS).trim();
  if (height !== '') return undefined;
  return getComputedStyle(document.body).paddingBlockStart;
}

/**
 * Returns whether `style` is a style sheet of the code editor. Such a sheet can be removed when the user leaves the app, because the editor
 * inserts it again when needed.
 */
const isEditors = (style: HTMLStyleElement): boolean => /^\s*\.\u037c\d/.test(style.textContent);

function addStyles(): void {
  const style = document.createElement('style');
  style.id = 'dyno-in-kibana';
  style.textContent = STYLES;
  document.head.append(style);
}

function removeStyles(): void {
  for (const style of document.querySelectorAll('style')) {
    if (style.id.startsWith('dyno') || style.dataset['emotion']?.startsWith('dyno') || isEditors(style)) {
      style.remove();
    }
  }
}

export function enter(element: HTMLElement): Surroundings {
  const floating = document.createElement('div');
  const portals = document.createElement('span');
  floating.append(portals);
  document.body.append(floating);
  addStyles();
  const headers = headersAbove(element);
  for (const own of [element, floating]) {
    own.classList.add(ROOT_CLASS);
    if (headers !== undefined) own.style.setProperty(HEADERS, headers);
  }
  return {
    portals,
    leave() {
      floating.remove();
      element.classList.remove(ROOT_CLASS);
      element.style.removeProperty(HEADERS);
      removeStyles();
    },
  };
}
