/** Theme of the YAML editor, with the colours of the page, light or dark. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { EuiThemeComputed } from '@elastic/eui';
import { tags } from '@lezer/highlight';

/**
 * Themes of the editor that have been created. Each new theme adds style sheets to the page. Therefore, all editors with the same colours
 * share one.
 */
const made = new WeakMap<EuiThemeComputed, Extension>();

export function yamlTheme(theme: EuiThemeComputed, dark: boolean): Extension {
  const known = made.get(theme) ?? makeTheme(theme, dark);
  made.set(theme, known);
  return known;
}

function makeTheme({ colors, font, focus }: EuiThemeComputed, dark: boolean): Extension {
  const highlight = HighlightStyle.define([
    { tag: [tags.definition(tags.propertyName), tags.propertyName], color: colors.textPrimary },
    { tag: [tags.string, tags.special(tags.string)], color: colors.textSuccess },
    { tag: tags.content, color: colors.textParagraph },
    { tag: tags.lineComment, color: colors.textSubdued },
    { tag: [tags.labelName, tags.typeName, tags.keyword], color: colors.textAccent },
    { tag: [tags.separator, tags.squareBracket, tags.brace, tags.punctuation], color: colors.textSubdued },
    { tag: tags.meta, color: colors.textSubdued },
  ]);
  const view = EditorView.theme(
    {
      '&': { color: colors.textParagraph, backgroundColor: colors.backgroundBasePlain, height: '100%' },
      '&.cm-focused': { outline: `${focus.width} solid ${colors.primary}`, outlineOffset: `-${focus.width}` },
      '.cm-scroller': { fontFamily: font.familyCode ?? 'monospace', fontSize: '12.5px', lineHeight: '1.6' },
      '.cm-content': { caretColor: colors.textParagraph, paddingBlock: '8px' },
      // The text has no outline, because the focus is shown around the whole editor.
      '.cm-content:focus': { outline: 'none !important' },
      '.cm-cursor': { borderLeftColor: colors.textParagraph },
      '.cm-gutters': {
        backgroundColor: colors.backgroundBaseSubdued,
        color: colors.textSubdued,
        borderRight: `1px solid ${colors.borderBaseSubdued}`,
      },
      // A page may have several editors. Only the one with the focus highlights its line.
      '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
      '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': {
        backgroundColor: colors.backgroundBaseInteractiveHover,
      },
      '.cm-placeholder': { color: colors.textSubdued },
      '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
        backgroundColor: `${colors.backgroundBaseInteractiveSelect} !important`,
      },
      '.cm-matchingBracket': { backgroundColor: 'transparent' },
      '&.cm-focused .cm-matchingBracket': { backgroundColor: colors.backgroundLightAccent, color: 'inherit' },
      '.cm-tooltip': {
        backgroundColor: colors.backgroundBasePlain,
        color: colors.textParagraph,
        border: `1px solid ${colors.borderBasePlain}`,
        borderRadius: '4px',
        maxWidth: '420px',
      },
      '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: font.familyCode ?? 'monospace' },
      '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
        backgroundColor: colors.backgroundLightPrimary,
        color: colors.textParagraph,
      },
      '.cm-completionDetail': { color: colors.textSubdued, fontStyle: 'normal', marginInlineStart: '12px' },
      '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
      '.cm-diagnostic': { fontFamily: font.family, padding: '6px 10px' },
      '.cm-revealed': { backgroundColor: colors.backgroundLightPrimary },
    },
    { dark },
  );
  return [view, syntaxHighlighting(highlight)];
}
