/** The definition as YAML, with its problems at their lines. */
import { useEuiTheme } from '@elastic/eui';
import { useEffect, useRef, type ReactNode } from 'react';
import { describeProblem, type Problem } from '../../../../common/problem';
import { useDarkMode } from '../../../app/context';
import { i18n } from '../../../i18n';
import type { Checked } from '../model';
import { fixLabel } from '../problem-panel';
import { yamlTheme } from './theme';
import type { Known } from './completions';
import { createYamlView, type YamlView } from './view';

interface YamlPaneProps {
  /** Initial text of the editor. Later changes of this property have no effect. */
  initial: string;
  checked: Checked;
  readOnly: boolean;
  known: Known;
  onChange: (text: string, history: { undo: number; redo: number }) => void;
  onFix: (problem: Problem) => void;
  /** Called with the view after it is mounted. */
  onReady: (view: YamlView) => void;
}

export function YamlPane({
  initial,
  checked,
  readOnly,
  known,
  onChange,
  onFix,
  onReady,
}: YamlPaneProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const dark = useDarkMode();
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<YamlView | null>(null);
  const latest = useRef({
    initial,
    readOnly,
    known,
    onChange,
    onFix,
    onReady,
    theme: yamlTheme(euiTheme, dark),
  });
  latest.current = { ...latest.current, known, onChange, onFix, onReady };

  useEffect(() => {
    const { onReady: ready, ...options } = latest.current;
    const created = createYamlView({
      parent: parent.current!,
      text: options.initial,
      attributes: () => ({
        'aria-label': i18n.translate('dyno.editor.yaml.label', { defaultMessage: 'Definition as YAML' }),
        'data-test-subj': 'dynoYaml',
      }),
      readOnly: options.readOnly,
      theme: options.theme,
      known: () => latest.current.known,
      onChange: (text, history) => latest.current.onChange(text, history),
    });
    view.current = created;
    ready(created);
    return () => created.destroy();
  }, []);

  useEffect(() => view.current?.setTheme(yamlTheme(euiTheme, dark)), [euiTheme, dark]);

  useEffect(() => {
    view.current?.setProblems(
      checked.problems.map((problem) => ({
        from: problem.place.from,
        to: problem.place.to,
        severity: 'error',
        message: describeProblem(problem),
        actions:
          problem.suggested === null || readOnly
            ? []
            : [{ name: fixLabel(problem.suggested), apply: () => latest.current.onFix(problem) }],
      })),
    );
  }, [checked, readOnly]);

  return <div ref={parent} css={{ height: '100%', minHeight: 0 }} />;
}
