/** What of ours lies in Kibana's page beside the app's own element: where it floats, what it must not slip under, its styles. */

import { ROOT_CLASS } from './root-class';
import { STYLES } from './styles';

/** Set by EUI where it fixes a header to the window; what sticks or floats keeps below. */
const HEADERS = '--euiFixedHeadersOffset';

export interface Surroundings {
  /** Dialogs, menus and tips are put before it. */
  portals: HTMLElement;
  /** Takes everything away. */
  leave(): void;
}

const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowY);

/** Newer versions let the app scroll in an element of its own, below the headers; older ones the whole document. */
function scrollsByItself(element: HTMLElement): boolean {
  for (let above: Element | null = element; above && above !== document.body; above = above.parentElement) {
    if (scrolls(above)) return true;
  }
  return false;
}

/** Of Kibana's fixed headers above the app, as a length of CSS; undefined where the document tells it by itself. */
function headersAbove(element: HTMLElement): string | undefined {
  if (scrollsByItself(element)) return '0px';
  const told = getComputedStyle(document.documentElement).getPropertyValue(HEADERS).trim();
  if (told !== '') return undefined;
  return getComputedStyle(document.body).paddingBlockStart;
}

/** The editor's style sheet, which its library puts back when it is needed again, and finds by itself. */
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
