/**
 * Writes SVG for the charts: escaping, elements and axes. Colours are classes of the page's style sheet. Dyno does not use the axes of d3,
 * because they need a DOM, and reports are often created without a browser.
 */
import type { ScaleContinuousNumeric } from 'd3-scale';
import { printable } from '../../text/printable';

export type Scale = ScaleContinuousNumeric<number, number>;

/** Escapes text for the content, or for a quoted attribute, of HTML or SVG. Characters that XML cannot contain become escapes. */
export const escapeMarkup = (text: string): string =>
  printable(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');

type Attributes = Record<string, string | number>;

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(
      ([name, value]) =>
        ` ${name}="${typeof value === 'number' ? String(Math.round(value * 100) / 100) : escapeMarkup(value)}"`,
    )
    .join('');

/** Returns an element. `inside`: markup inside the element, whose texts must already be escaped. */
export const element = (name: string, attributes: Attributes, inside = ''): string =>
  inside === ''
    ? `<${name}${attributesOf(attributes)}/>`
    : `<${name}${attributesOf(attributes)}>${inside}</${name}>`;

export const text = (x: number, y: number, content: string, attributes: Attributes = {}): string =>
  element('text', { x, y, ...attributes }, escapeMarkup(content));

export const line = (x1: number, y1: number, x2: number, y2: number, className: string): string =>
  element('line', { x1, y1, x2, y2, class: className });

/** Returns a dot with a tooltip as SVG. */
export const dot = (cx: number, cy: number, r: number, className: string, tooltip: string): string =>
  element('circle', { cx, cy, r, class: className }, element('title', {}, escapeMarkup(tooltip)));

/** Returns the chart as an SVG element. `title` and `description`: texts for screen readers. `inside`: markup of the content. */
export function chart(
  width: number,
  height: number,
  id: string,
  title: string,
  description: string,
  inside: string,
): string {
  const head =
    element('title', { id: `${id}-title` }, escapeMarkup(title)) +
    element('desc', { id: `${id}-desc` }, escapeMarkup(description));
  return element(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-labelledby': `${id}-title ${id}-desc`,
      xmlns: 'http://www.w3.org/2000/svg',
    },
    head + inside,
  );
}

/** Returns the grid lines and labels of a horizontal axis. The labels are below `bottom`. */
export const axisBelow = (
  scale: Scale,
  ticks: readonly number[],
  top: number,
  bottom: number,
  format: (value: number) => string,
): string =>
  ticks
    .map(
      (tick) =>
        line(scale(tick), top, scale(tick), bottom, 'grid') +
        text(scale(tick), bottom + 16, format(tick), { class: 'tick', 'text-anchor': 'middle' }),
    )
    .join('');

/** Returns the grid lines and labels of a vertical axis. The labels are to the left of `start`. */
export const axisLeft = (
  scale: Scale,
  ticks: readonly number[],
  start: number,
  end: number,
  format: (value: number) => string,
): string =>
  ticks
    .map(
      (tick) =>
        line(start, scale(tick), end, scale(tick), 'grid') +
        text(start - 8, scale(tick) + 4, format(tick), { class: 'tick', 'text-anchor': 'end' }),
    )
    .join('');

/** Shortens a text to about `width` pixels in the charts' 13 px font. Leaves out characters in the middle. */
export function fitted(content: string, width: number): string {
  const most = Math.max(3, Math.floor(width / 7));
  if (content.length <= most) return content;
  const ahead = Math.ceil((most - 1) / 2);
  return `${content.slice(0, ahead)}…${content.slice(content.length - (most - 1 - ahead))}`;
}
