/** List of the definition's problems, each with a link to its line and, for misspellings, a button that corrects it. */
import { EuiButtonEmpty, EuiCallOut, EuiLink, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { describeProblem } from '../../../common/problem';
import { i18n } from '../../i18n';
import type { PlacedProblem } from './model';
import { UNREAD } from './unread';

interface ProblemPanelProps {
  problems: readonly PlacedProblem[];
  onGoTo: (problem: PlacedProblem) => void;
  /** Replaces a misspelled text by the suggested one. Undefined if the user may not change the definition. */
  onFix: ((problem: PlacedProblem) => void) | undefined;
}

export const fixLabel = (suggested: string): string =>
  i18n.translate('dyno.editor.problems.fix', {
    defaultMessage: 'Change to {suggested}',
    values: { suggested },
  });

export function ProblemPanel({ problems, onGoTo, onFix }: ProblemPanelProps): ReactNode {
  if (problems.length === 0) return null;
  return (
    <EuiCallOut
      announceOnMount={false}
      id="dyno-problems"
      size="s"
      color="danger"
      iconType="error"
      title={i18n.translate('dyno.editor.problems.title', {
        defaultMessage: '{count, plural, one {# problem} other {# problems}}',
        values: { count: problems.length },
      })}
    >
      <EuiText size="s" css={{ maxBlockSize: 220, overflowY: 'auto' }}>
        <ul>
          {problems.map((problem, at) => (
            <li key={at} css={{ overflowWrap: 'anywhere' }}>
              <EuiLink color="danger" onClick={() => onGoTo(problem)}>
                {problem.code === UNREAD
                  ? i18n.translate('dyno.editor.problems.form', { defaultMessage: 'Form' })
                  : i18n.translate('dyno.editor.problems.line', {
                      defaultMessage: 'Line {line}',
                      values: { line: problem.place.line },
                    })}
              </EuiLink>
              {': '}
              {describeProblem(problem.code === 'definition.syntax' ? { ...problem, path: '' } : problem)}
              {problem.suggested === null || onFix === undefined ? null : (
                <div>
                  <EuiButtonEmpty
                    size="xs"
                    flush="left"
                    color="danger"
                    iconType="check"
                    onClick={() => onFix(problem)}
                  >
                    {fixLabel(problem.suggested)}
                  </EuiButtonEmpty>
                </div>
              )}
            </li>
          ))}
        </ul>
      </EuiText>
    </EuiCallOut>
  );
}
