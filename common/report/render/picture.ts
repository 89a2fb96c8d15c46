/** Renders the verdict as a picture for tickets and slides. It is an SVG that needs no other style sheets, fonts or files. */
import { focusChart } from '../chart/focus';
import { element, escapeMarkup, text } from '../chart/svg';
import { sentenceCase } from '../../units/format';
import { runFacts } from '../model/facts';
import type { Report } from '../model/report';
import { glanceOf, meaningOfState, meaningOfTrust, stateWords } from '../glance';

/** Colours of the page's theme as CSS values. */
export interface PictureColours {
  paper: string;
  ink: string;
  quiet: string;
  rule: string;
  /** Colour of the dots and bands of all combinations of factor levels except the baseline. */
  main: string;
  /** Colour of the dots and bands of the baseline, the combination of factor levels with which the others are compared. */
  reference: string;
  /** Background and text colours, by meaning. */
  good: { soft: string; ink: string };
  bad: { soft: string; ink: string };
  warning: { soft: string; ink: string };
  plain: { soft: string; ink: string };
}

/** Returns the style rules of the chart. The key is a CSS selector, the value contains CSS properties with names in camel case. */
export const chartRules = ({
  paper,
  ink,
  quiet,
  rule,
  main,
  reference,
}: Pick<PictureColours, 'paper' | 'ink' | 'quiet' | 'rule' | 'main' | 'reference'>): Record<
  string,
  Record<string, string | number>
> => ({
  text: { fill: ink, fontSize: '13px' },
  '.heading': { fontWeight: 600, fontSize: '12px' },
  '.tick': { fill: quiet, fontSize: '12px' },
  '.mark': { fill: quiet, fontSize: '12px' },
  '.effect': { fontWeight: 700 },
  '.grid': { stroke: rule },
  '.one': { stroke: quiet, strokeDasharray: '4 3' },
  '.extent': { fill: main, fillOpacity: 0.28 },
  '.extent.reference': { fill: reference },
  '.trial': { fill: main, stroke: paper },
  '.trial.reference': { fill: reference },
  '.mean': { fill: ink },
});

const cssName = (property: string): string =>
  property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const styleText = (rules: ReturnType<typeof chartRules>): string =>
  Object.entries(rules)
    .map(
      ([selector, properties]) =>
        `${selector} { ${Object.entries(properties)
          .map(([property, value]) => `${cssName(property)}: ${value};`)
          .join(' ')} }`,
    )
    .join('\n');

/** Width of the picture in px. */
export const PICTURE_WIDTH = 1200;
const PAD = 48;
const LEFT = 380;
const GAP = 40;
/** Factor by which the picture enlarges the chart. The chart's text would be too small otherwise. */
const ENLARGED = 1.3;
const CHART_HEIGHT = 300;
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';

/** Width of a character as a multiple of the font size. */
const OF_SIZE = { regular: 0.54, bold: 0.62 };

/** Breaks a text between words into at most `most` lines. If the text does not fit, the last line ends with an ellipsis. */
export function wrapped(
  content: string,
  width: number,
  size: number,
  weight: keyof typeof OF_SIZE,
  most: number,
): string[] {
  const characters = Math.max(8, Math.floor(width / (size * OF_SIZE[weight])));
  const lines: string[] = [];
  for (const word of content.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= characters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${lines[most - 1]!.slice(0, characters - 1)}…`];
}

interface Block {
  markup: string;
  /** Vertical position at which the next part of the picture begins, in px. */
  y: number;
}

function paragraph(
  content: string,
  {
    x,
    y,
    width,
    size,
    bold = false,
    fill,
    most,
  }: { x: number; y: number; width: number; size: number; bold?: boolean; fill: string; most: number },
): Block {
  const lines = wrapped(content, width, size, bold ? 'bold' : 'regular', most);
  const height = Math.round(size * 1.35);
  const markup = lines
    .map((own, at) =>
      text(x, y + size + at * height, own, {
        style: `font-size: ${size}px; fill: ${fill}${bold ? '; font-weight: 700' : ''}`,
      }),
    )
    .join('');
  return { markup, y: y + lines.length * height };
}

function chip(
  content: string,
  x: number,
  y: number,
  size: number,
  width: number,
  { soft, ink }: PictureColours['good'],
  most = 1,
): Block {
  const lines = wrapped(content, width - size * 1.6, size, 'bold', most);
  const longest = Math.max(...lines.map((own) => own.length));
  const boxWidth = Math.min(width, longest * size * OF_SIZE.bold + size * 1.6);
  const height = Math.round(size * 1.35);
  const boxHeight = lines.length * height + size * 0.8;
  return {
    markup: [
      element('rect', {
        x,
        y,
        width: boxWidth,
        height: boxHeight,
        rx: lines.length === 1 ? boxHeight / 2 : 8,
        style: `fill: ${soft}`,
      }),
      ...lines.map((own, at) =>
        text(x + size * 0.8, y + size * 1.42 + at * height, own, {
          style: `font-size: ${size}px; font-weight: 600; fill: ${ink}`,
        }),
      ),
    ].join(''),
    y: y + boxHeight,
  };
}

export function verdictPicture(report: Report, colours: PictureColours): string {
  const glance = glanceOf(report);
  const { ink, quiet, paper, rule } = colours;
  const inner = PICTURE_WIDTH - 2 * PAD;
  const title = paragraph(report.experiment.name, {
    x: PAD,
    y: PAD - 8,
    width: inner,
    size: 30,
    bold: true,
    fill: ink,
    most: 2,
  });
  const facts = paragraph(sentenceCase(runFacts(report).slice(1).join(' · ')), {
    x: PAD,
    y: title.y + 4,
    width: inner,
    size: 16,
    fill: quiet,
    most: 1,
  });
  const top = facts.y + 20;
  const x = PAD + 32;
  const column = { x, width: LEFT };
  const badge = chip(
    [stateWords(glance.state), glance.progress].filter(Boolean).join(', '),
    x,
    top + 32,
    17,
    LEFT,
    colours[meaningOfState(glance.state, glance.trust?.level)],
  );
  const { effect } = glance;
  const number =
    effect === null
      ? { markup: '', y: badge.y }
      : paragraph(effect.value, {
          ...column,
          y: badge.y + 14,
          size: effect.value.length > 8 ? 40 : 72,
          bold: true,
          fill: effect.isClear ? ink : quiet,
          most: 1,
        });
  const of =
    effect === null
      ? number
      : paragraph(effect.of, { ...column, y: number.y - 4, size: 18, bold: true, fill: ink, most: 2 });
  const interval =
    effect === null
      ? of
      : paragraph(effect.interval, { ...column, y: of.y + 2, size: 17, fill: quiet, most: 2 });
  const sentence = paragraph(glance.sentence, {
    ...column,
    y: interval.y + 14,
    size: 18,
    fill: ink,
    most: 7,
  });
  const trust =
    glance.trust === null
      ? sentence
      : chip(glance.trust.line, x, sentence.y + 14, 15, LEFT, colours[meaningOfTrust(glance.trust.level)], 3);
  const chartX = x + LEFT + GAP;
  const chart = focusChart(
    report,
    { width: (PICTURE_WIDTH - PAD - 32 - chartX) / ENLARGED, height: CHART_HEIGHT / ENLARGED },
    'picture',
  );
  const chartHeight = ENLARGED * Number(/viewBox="0 0 [\d.]+ ([\d.]+)"/.exec(chart)?.[1] ?? 0);
  const bottom = Math.max(trust.y, top + 32 + chartHeight) + 32;
  const chartY = top + (bottom - top - chartHeight) / 2;
  const shown = glance.facts.filter(({ id }) => id !== 'next');
  const step = inner / Math.max(1, shown.length);
  const panels = shown.map(({ value, label }, at) => {
    const place = { x: PAD + at * step, width: step - 24 };
    const head = paragraph(value, { ...place, y: bottom + 20, size: 22, bold: true, fill: ink, most: 1 });
    return {
      markup: head.markup + paragraph(label, { ...place, y: head.y, size: 14, fill: quiet, most: 2 }).markup,
    };
  });
  const height = bottom + (shown.length === 0 ? 24 : 110) + 28;
  const style = `svg { font-family: ${FONT}; }\n${styleText(chartRules(colours))}`;
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: PICTURE_WIDTH,
      height,
      viewBox: `0 0 ${PICTURE_WIDTH} ${height}`,
    },
    [
      element('style', {}, escapeMarkup(style)),
      element('rect', { x: 0, y: 0, width: PICTURE_WIDTH, height, style: `fill: ${paper}` }),
      element('rect', {
        x: PAD,
        y: top,
        width: inner,
        height: bottom - top,
        rx: 12,
        style: `fill: none; stroke: ${rule}`,
      }),
      ...[
        title,
        facts,
        badge,
        ...(effect === null ? [] : [number, of, interval]),
        sentence,
        ...(glance.trust === null ? [] : [trust]),
      ].map(({ markup }) => markup),
      chart === ''
        ? ''
        : element('g', { transform: `translate(${chartX} ${chartY}) scale(${ENLARGED})` }, chart),
      ...panels.map(({ markup }) => markup),
      text(PAD, height - 20, `Dyno, run ${report.run.id}`, { style: `font-size: 13px; fill: ${quiet}` }),
    ].join(''),
  );
}
