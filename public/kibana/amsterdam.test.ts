import { AMSTERDAM, mix } from './amsterdam';
import { looksAmsterdam } from './versions';

const colours = (mode: 'LIGHT' | 'DARK'): Record<string, string> =>
  (AMSTERDAM as { colors: Record<string, Record<string, string>> }).colors[mode]!;

/** Returns the relative luminance of WCAG 2.1. */
const luminance = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string): number => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
};

test('colours are mixed by their share', () => {
  expect(mix('#0077cc', '#ffffff', 0.1)).toBe('#e6f1fa');
  expect(mix('#ff0000', '#0000ff', 1)).toBe('#ff0000');
});

test.each(['LIGHT', 'DARK'] as const)(
  'every text colour of %s is readable on every background that it is used on',
  (mode) => {
    const of = colours(mode);
    const grounds = ['backgroundBasePlain', 'backgroundBaseSubdued', 'body'];
    const texts = [
      'textParagraph',
      'textHeading',
      'textSubdued',
      'textPrimary',
      'textSuccess',
      'textWarning',
      'textDanger',
    ];
    const unreadable = texts.flatMap((text) =>
      grounds.flatMap((ground) => (contrast(of[text]!, of[ground]!) < 4.5 ? [`${text} on ${ground}`] : [])),
    );
    for (const meaning of ['Primary', 'Success', 'Warning', 'Danger'])
      if (contrast(of[`text${meaning}`]!, of[`backgroundLight${meaning}`]!) < 4.5)
        unreadable.push(`${meaning} on its light ground`);
    expect(unreadable).toEqual([]);
  },
);

test.each([
  [undefined, '8.3', true],
  [undefined, '8.19', true],
  [undefined, '9.0', false],
  [undefined, 'master', false],
  ['amsterdam', '9.0', true],
  ['borealis', '8.19', false],
])('a Kibana whose theme is %s, of version %s, looks like Amsterdam: %s', (name, version, expected) => {
  const theme = name === undefined ? {} : { getTheme: () => ({ darkMode: false, name }) };
  expect(looksAmsterdam({ theme, docLinks: { DOC_LINK_VERSION: version } })).toBe(expected);
});
