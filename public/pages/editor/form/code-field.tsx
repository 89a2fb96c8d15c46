/**
 * A code editor as a field of the form, with highlighting, completion, and errors at their lines. HTML labels only work for form controls.
 * Therefore, the editor sets its label itself.
 */
import type { Diagnostic } from '@codemirror/lint';
import { useEuiTheme } from '@elastic/eui';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { stringifyPlain } from '../../../../common/json/exact';
import { useDarkMode } from '../../../app/context';
import { useKnown } from '../target-fields';
import { yamlTheme } from '../yaml/theme';
import { createYamlView, type YamlView } from '../yaml/view';
import { useForm } from './context';
import { fieldPath } from './fields';

/** Maximum number of lines that are shown. Longer texts scroll. */
const MOST_LINES = 24;
/** Height of a line, and total height of the space above and below the lines, in px. Both are set in `theme.ts`. */
const LINE = 20;
const AROUND = 16;

interface CodeFieldProps {
  path: EditPath;
  label: string;
  value: string;
  /** Minimum number of lines that are shown. */
  rows: number;
  placeholder: string | undefined;
  disabled: boolean;
  isInvalid: boolean;
  diagnostics: readonly Diagnostic[];
  /**
   * Whether the text in this field is invalid and therefore not part of the definition. Undo then only affects this field. Otherwise, undo
   * also reverts changes of other fields.
   */
  isUnread: boolean;
  onChange: (text: string) => void;
  onFocus: () => void;
  /** Id of the field. The surrounding row sets this id and refers to it in its label. */
  id?: string;
  'aria-describedby'?: string;
}

/**
 * Returns whether the element has been visible at least once. A code editor in a closed section is only created when the section is opened.
 * Elements above or below the visible part of the page count as visible.
 */
function useWasVisible(element: RefObject<HTMLElement>): boolean {
  const [wasVisible, setVisible] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (wasVisible) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ intersectionRatio }) => intersectionRatio > 0)) setVisible(true);
      },
      { rootMargin: '100000px', threshold: [0, 0.01] },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element, wasVisible]);
  return wasVisible;
}

export function CodeField(props: CodeFieldProps): ReactNode {
  const { value, rows, disabled, isInvalid, diagnostics, onFocus, id } = props;
  const { euiTheme } = useEuiTheme();
  const dark = useDarkMode();
  const known = useKnown(useForm().values);
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<YamlView | null>(null);
  const latest = useRef({ props, known, theme: yamlTheme(euiTheme, dark) });
  latest.current = { ...latest.current, props, known };
  /**
   * Texts that this field has passed to `onChange`, and that it has not yet received back as the property `value`. There may be several,
   * because the user may type faster than the form is updated.
   */
  const reported = useRef<string[]>([]);

  const wasVisible = useWasVisible(parent);

  useLayoutEffect(() => {
    if (!wasVisible) return undefined;
    const { path, placeholder } = latest.current.props;
    const created = createYamlView({
      parent: parent.current!,
      text: latest.current.props.value,
      attributes: () => {
        const { label, isInvalid: isWrong, 'aria-describedby': describedBy } = latest.current.props;
        return {
          ...fieldPath(path),
          'aria-label': label,
          'aria-invalid': String(isWrong),
          ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
        };
      },
      readOnly: latest.current.props.disabled,
      theme: latest.current.theme,
      placeholder,
      path: path.filter((segment) => typeof segment === 'string'),
      known: () => latest.current.known,
      leavesUndo: () => !latest.current.props.isUnread,
      onChange: (text, _, isOwn) => {
        if (isOwn) return;
        reported.current.push(text);
        latest.current.props.onChange(text);
      },
    });
    view.current = created;
    return () => created.destroy();
  }, [wasVisible]);

  useLayoutEffect(() => {
    const at = reported.current.indexOf(value);
    reported.current = at === -1 ? [] : reported.current.slice(at + 1);
    if (at === -1) view.current?.setText(value);
  }, [value]);
  useEffect(() => view.current?.setTheme(yamlTheme(euiTheme, dark)), [euiTheme, dark, wasVisible]);
  useEffect(() => view.current?.setReadOnly(disabled), [disabled]);
  // Key of the displayed problems. It includes the attributes, because they contain whether there is an error. The lists themselves are not
  // compared, because each check of the definition creates new ones.
  const shown = stringifyPlain([diagnostics, isInvalid, props['aria-describedby']]);
  useEffect(() => view.current?.setProblems(latest.current.props.diagnostics), [shown, wasVisible]);

  return (
    <div
      id={id}
      ref={parent}
      onFocus={onFocus}
      css={{
        border: isInvalid ? `1px solid ${euiTheme.colors.danger}` : euiTheme.border.thin,
        borderRadius: euiTheme.border.radius.small,
        overflow: 'hidden',
        minBlockSize: rows * LINE + AROUND,
        '.cm-editor': { maxBlockSize: MOST_LINES * LINE + AROUND },
        '.cm-content, .cm-gutter': { minBlockSize: `${rows * LINE + AROUND}px !important` },
      }}
    />
  );
}
