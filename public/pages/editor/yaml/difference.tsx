/** Two versions of a definition side by side, with the differing lines marked. */
import { yaml } from '@codemirror/lang-yaml';
import { MergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { EuiText, useEuiTheme, type EuiThemeComputed } from '@elastic/eui';
import { useEffect, useRef, type ReactNode } from 'react';
import { useDarkMode } from '../../../app/context';
import { i18n } from '../../../i18n';
import { yamlTheme } from './theme';

/** Number of unchanged lines that are shown around a difference. */
const CONTEXT = 3;

interface DifferenceProps {
  leftTitle: string;
  left: string;
  rightTitle: string;
  right: string;
}

export function Difference({ leftTitle, left, rightTitle, right }: DifferenceProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const dark = useDarkMode();
  const parent = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const side = (title: string, text: string) => ({
      doc: text,
      extensions: [
        EditorState.readOnly.of(true),
        EditorState.lineSeparator.of('\n'),
        EditorState.phrases.of({
          '$ unchanged lines': i18n.translate('dyno.editor.conflict.unchanged', {
            defaultMessage: '{count} unchanged lines',
            values: { count: '$' },
          }),
        }),
        EditorView.contentAttributes.of({ 'aria-label': title, tabindex: '0' }),
        EditorView.lineWrapping,
        yaml(),
        yamlTheme(euiTheme, dark),
        differenceTheme(euiTheme),
      ],
    });
    const view = new MergeView({
      parent: parent.current!,
      a: side(leftTitle, left),
      b: side(rightTitle, right),
      gutter: false,
      collapseUnchanged: { margin: CONTEXT },
    });
    return () => view.destroy();
  }, [leftTitle, left, rightTitle, right, euiTheme, dark]);

  return (
    <div
      role="region"
      aria-label={i18n.translate('dyno.editor.conflict.both', { defaultMessage: 'Both versions' })}
      css={{ maxBlockSize: '50vh', overflowY: 'auto', border: euiTheme.border.thin }}
    >
      <div
        css={{
          display: 'flex',
          position: 'sticky',
          insetBlockStart: 0,
          zIndex: 1,
          background: euiTheme.colors.backgroundBaseSubdued,
        }}
      >
        {[leftTitle, rightTitle].map((title) => (
          <EuiText key={title} size="xs" css={{ flex: '1 1 0', padding: 8, fontWeight: 700 }}>
            {title}
          </EuiText>
        ))}
      </div>
      <div ref={parent} />
    </div>
  );
}

function differenceTheme({ colors }: EuiThemeComputed): Extension {
  const underline = (color: string): string =>
    `linear-gradient(${color}, ${color}) bottom/100% 2px no-repeat`;
  return EditorView.theme({
    '&.cm-merge-a .cm-changedLine': { backgroundColor: colors.backgroundLightDanger },
    '&.cm-merge-b .cm-changedLine': { backgroundColor: colors.backgroundLightSuccess },
    '&.cm-merge-a .cm-changedText': { background: underline(colors.danger) },
    '&.cm-merge-b .cm-changedText': { background: underline(colors.success) },
    '.cm-mergeSpacer': { backgroundColor: colors.backgroundBaseSubdued },
    // Hidden, because collapsed lines can be opened only with the mouse.
    '.cm-collapsedLines': {
      pointerEvents: 'none',
      textAlign: 'center',
      color: colors.textSubdued,
      background: colors.backgroundBaseSubdued,
    },
    // Hidden, because few fonts have this character.
    '.cm-collapsedLines:before, .cm-collapsedLines:after': { display: 'none' },
  });
}
