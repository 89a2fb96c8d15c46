/**
 * The look of Kibana 8.x, which had the theme Amsterdam. EUI 122 only contains Borealis, the theme of 9.x, which does not match Kibana 8.x.
 * The main colours come from EUI's documentation for 8.x. The shades between the main colours (lines, backgrounds, hovers) are mixed here,
 * as Amsterdam mixed them.
 */
import type { EuiThemeModifications } from '@elastic/eui';
import { ROOT_CLASS } from './root-class';

interface Base {
  primary: string;
  accent: string;
  success: string;
  warning: string;
  danger: string;
  /** Colours for text on the page. */
  text: Readonly<Record<'primary' | 'accent' | 'success' | 'warning' | 'danger', string>>;
  empty: string;
  lightest: string;
  light: string;
  medium: string;
  dark: string;
  darkest: string;
  full: string;
  body: string;
  paragraph: string;
  heading: string;
  subdued: string;
  disabled: string;
  /** Colour of text on a coloured background. */
  inverse: string;
  field: string;
}

const LIGHT: Base = {
  primary: '#0077cc',
  accent: '#f04e98',
  success: '#00bfb3',
  warning: '#fec514',
  danger: '#bd271e',
  text: { primary: '#0061a6', accent: '#ba3d76', success: '#00726b', warning: '#83650a', danger: '#b4251d' },
  empty: '#ffffff',
  lightest: '#f1f4fa',
  light: '#d3dae6',
  medium: '#98a2b3',
  dark: '#69707d',
  darkest: '#343741',
  full: '#000000',
  body: '#fafbfd',
  paragraph: '#343741',
  heading: '#1a1c21',
  subdued: '#646a77',
  disabled: '#a2abba',
  inverse: '#ffffff',
  field: '#fbfcfd',
};

const DARK: Base = {
  primary: '#36a2ef',
  accent: '#f68fbe',
  success: '#7dded8',
  warning: '#f3d371',
  danger: '#f86b63',
  text: { primary: '#4dadf1', accent: '#f68fbe', success: '#7dded8', warning: '#f3d371', danger: '#f98079' },
  empty: '#1d1e24',
  lightest: '#25262e',
  light: '#343741',
  medium: '#535966',
  dark: '#98a2b3',
  darkest: '#d4dae5',
  full: '#ffffff',
  body: '#141519',
  paragraph: '#dfe5ef',
  heading: '#dfe5ef',
  subdued: '#98a2b3',
  disabled: '#515761',
  inverse: '#000000',
  field: '#16171c',
};

const channels = (colour: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Mixes `colour` with a background colour. `share`: share of `colour` in the mixture, in [0, 1]. All colours are `#rrggbb`. */
export function mix(colour: string, ground: string, share: number): string {
  const below = channels(ground);
  const mixed = channels(colour).map((value, at) => Math.round(value * share + below[at]! * (1 - share)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Maps Borealis's nine semantic colours to Amsterdam's five. A colour that Amsterdam lacks is mapped to the most similar one. */
const MEANINGS = {
  Primary: 'primary',
  Accent: 'accent',
  AccentSecondary: 'success',
  Neutral: 'primary',
  Success: 'success',
  Warning: 'warning',
  Risk: 'warning',
  Danger: 'danger',
  Assistance: 'accent',
} as const;

function coloursOf(base: Base): Record<string, string> {
  const { empty, lightest, light, medium, dark, body, text } = base;
  const meanings = Object.entries(MEANINGS).flatMap(([name, meaning]): [string, string][] => {
    const colour = base[meaning];
    return [
      [`text${name}`, text[meaning]],
      [`backgroundBase${name}`, mix(colour, empty, 0.1)],
      [`backgroundLight${name}`, mix(colour, empty, 0.2)],
      [`backgroundFilled${name}`, colour],
      [`backgroundTransparent${name}`, mix(colour, empty, 0.1)],
      [`borderBase${name}`, mix(colour, empty, 0.4)],
      [`borderStrong${name}`, colour],
    ];
  });
  const hover = (share: number): string => mix(base.primary, empty, share);
  return {
    ...Object.fromEntries(meanings),
    primary: base.primary,
    accent: base.accent,
    accentSecondary: base.success,
    success: base.success,
    warning: base.warning,
    danger: base.danger,
    primaryText: text.primary,
    accentText: text.accent,
    successText: text.success,
    warningText: text.warning,
    dangerText: text.danger,
    emptyShade: empty,
    lightestShade: lightest,
    lightShade: light,
    mediumShade: medium,
    darkShade: dark,
    darkestShade: base.darkest,
    fullShade: base.full,
    body,
    highlight: mix(base.warning, empty, 0.1),
    disabled: base.disabled,
    disabledText: base.disabled,
    text: base.paragraph,
    title: base.heading,
    subduedText: base.subdued,
    link: text.primary,
    textParagraph: base.paragraph,
    textHeading: base.heading,
    textSubdued: base.subdued,
    textDisabled: base.disabled,
    textInverse: base.inverse,
    backgroundBasePlain: empty,
    backgroundBaseSubdued: body,
    backgroundBaseRecessed: body,
    backgroundBaseHighlighted: lightest,
    backgroundBaseDisabled: mix(light, empty, 0.4),
    backgroundBaseFormsPrepend: mix(light, empty, 0.5),
    backgroundBaseFormsControlDisabled: light,
    backgroundBaseInteractiveHover: hover(0.05),
    backgroundBaseInteractiveSelect: hover(0.1),
    backgroundBaseInteractiveSelectHover: hover(0.2),
    backgroundLightText: mix(dark, empty, 0.2),
    backgroundFilledText: dark,
    backgroundTransparentSubdued: lightest,
    backgroundTransparentHighlighted: lightest,
    backgroundTransparentPlain: lightest,
    borderBasePlain: light,
    borderBaseSubdued: light,
    borderBaseDisabled: light,
    borderBaseProminent: medium,
    borderInteractiveFormsHoverPlain: medium,
    borderInteractiveFormsHoverProminent: dark,
    borderInteractiveFormsHoverDanger: base.danger,
    borderStrongText: dark,
  };
}

const fieldsOf = ({ field, light, empty }: Base): Record<string, string> => ({
  background: field,
  backgroundFocused: empty,
  backgroundDisabled: mix(light, empty, 0.4),
  backgroundReadOnly: empty,
});

/** Colours of filled buttons under the pointer and while pressed. EUI's theme does not derive these from the other colours. */
const buttonsOf = (base: Base): Record<string, string> =>
  Object.fromEntries(
    Object.entries(MEANINGS).flatMap(([name, meaning]) => [
      [`backgroundFilled${name}Hover`, mix(base.full, base[meaning], 0.1)],
      [`backgroundFilled${name}Active`, mix(base.full, base[meaning], 0.2)],
    ]),
  );

const RADIUS = '6px';

export const AMSTERDAM: EuiThemeModifications = {
  colors: { LIGHT: coloursOf(LIGHT), DARK: coloursOf(DARK) },
  components: {
    forms: { LIGHT: fieldsOf(LIGHT), DARK: fieldsOf(DARK) },
    buttons: { LIGHT: buttonsOf(LIGHT), DARK: buttonsOf(DARK) },
    LIGHT: { codeInlineBackground: LIGHT.lightest, codeInlineColor: LIGHT.paragraph },
    DARK: { codeInlineBackground: DARK.lightest, codeInlineColor: DARK.paragraph },
  },
  border: { radius: { medium: RADIUS, small: '4px', control: RADIUS, panel: RADIUS, frame: RADIUS } },
  font: { weight: { medium: 500, semiBold: 600, bold: 700 } },
} as EuiThemeModifications;

/**
 * Makes links look as in Amsterdam: blue, and underlined on hover. Without these styles, links in EUI 122 have the text colour and a dotted
 * line.
 */
export const amsterdamStyles = (dark: boolean): string => `
.${ROOT_CLASS} [class*='euiLink-text'] {
  color: ${(dark ? DARK : LIGHT).text.primary};
  text-decoration: none;
}
.${ROOT_CLASS} [class*='euiLink-text']:is(:hover, :focus) {
  text-decoration: underline;
}
`;
