/** Somebody else has saved meanwhile: both versions side by side, and the choice between them. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiModal,
  EuiModalBody,
  EuiModalFooter,
  EuiModalHeader,
  EuiModalHeaderTitle,
  EuiText,
  useEuiTheme,
  useGeneratedHtmlId,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Experiment } from '../../../common/api/experiments';
import { diffLines, withContext } from '../../../common/experiment/line-diff';
import { i18n } from '../../i18n';
import { formatLocal } from '../../ui/time';

/** Lines around a difference that are shown with it. */
const CONTEXT = 3;

interface ConflictProps {
  theirs: Experiment;
  mine: string;
  busy: boolean;
  onTakeTheirs: () => void;
  onTakeMine: () => void;
  onKeepEditing: () => void;
}

function Side({
  text,
  differs,
  side,
}: {
  text: string | null;
  differs: boolean;
  side: 'theirs' | 'mine';
}): ReactNode {
  const { euiTheme } = useEuiTheme();
  const { backgroundLightDanger, backgroundLightSuccess, backgroundBaseSubdued } = euiTheme.colors;
  const marked = side === 'theirs' ? backgroundLightDanger : backgroundLightSuccess;
  return (
    <td
      css={{
        inlineSize: '50%',
        paddingInline: 8,
        verticalAlign: 'top',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
        fontFamily: euiTheme.font.familyCode,
        fontSize: 12.5,
        lineHeight: 1.6,
        background: text === null ? backgroundBaseSubdued : differs ? marked : undefined,
      }}
    >
      {text === '' ? '\u00a0' : text}
    </td>
  );
}

function Difference({
  left,
  right,
  titles,
}: {
  left: string;
  right: string;
  titles: [string, string];
}): ReactNode {
  const { euiTheme } = useEuiTheme();
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={i18n.translate('dyno.editor.conflict.both', { defaultMessage: 'Both versions' })}
      css={{ maxBlockSize: '50vh', overflowY: 'auto', border: euiTheme.border.thin }}
    >
      <table css={{ inlineSize: '100%', tableLayout: 'fixed', borderCollapse: 'collapse' }}>
        <thead>
          <tr>
            {titles.map((title) => (
              <th
                key={title}
                scope="col"
                css={{
                  textAlign: 'start',
                  padding: 8,
                  position: 'sticky',
                  insetBlockStart: 0,
                  background: euiTheme.colors.backgroundBaseSubdued,
                }}
              >
                <EuiText size="xs">{title}</EuiText>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {withContext(diffLines(left, right), CONTEXT).map((part, at) =>
            'skipped' in part ? (
              <tr key={at}>
                <td colSpan={2} css={{ padding: 4, background: euiTheme.colors.backgroundBaseSubdued }}>
                  <EuiText size="xs" color="subdued" textAlign="center">
                    {i18n.translate('dyno.editor.conflict.skipped', {
                      defaultMessage: '{count, plural, one {# line} other {# lines}} the same',
                      values: { count: part.skipped },
                    })}
                  </EuiText>
                </td>
              </tr>
            ) : (
              <tr key={at}>
                <Side text={part.left} differs={!part.same} side="theirs" />
                <Side text={part.right} differs={!part.same} side="mine" />
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

export function Conflict({
  theirs,
  mine,
  busy,
  onTakeTheirs,
  onTakeMine,
  onKeepEditing,
}: ConflictProps): ReactNode {
  const titleId = useGeneratedHtmlId();
  return (
    <EuiModal onClose={onKeepEditing} aria-labelledby={titleId} maxWidth={1100} css={{ inlineSize: '90vw' }}>
      <EuiModalHeader>
        <EuiModalHeaderTitle id={titleId}>
          {i18n.translate('dyno.editor.conflict.title', {
            defaultMessage: 'Somebody else has saved this meanwhile',
          })}
        </EuiModalHeaderTitle>
      </EuiModalHeader>
      <EuiModalBody>
        <EuiText size="s">
          <p>
            {i18n.translate('dyno.editor.conflict.body', {
              defaultMessage:
                'Nothing of yours is saved, and nothing of theirs is overwritten, until you choose.',
            })}
          </p>
        </EuiText>
        <br />
        <Difference
          left={theirs.text}
          right={mine}
          titles={[
            i18n.translate('dyno.editor.conflict.theirs', {
              defaultMessage: 'Saved {time}',
              values: { time: formatLocal(theirs.updated) },
            }),
            i18n.translate('dyno.editor.conflict.mine', { defaultMessage: 'Yours' }),
          ]}
        />
      </EuiModalBody>
      <EuiModalFooter>
        <EuiButtonEmpty onClick={onKeepEditing}>
          {i18n.translate('dyno.editor.conflict.keep', { defaultMessage: 'Keep editing' })}
        </EuiButtonEmpty>
        <EuiButton onClick={onTakeTheirs}>
          {i18n.translate('dyno.editor.conflict.takeTheirs', { defaultMessage: 'Take theirs, drop mine' })}
        </EuiButton>
        <EuiButton color="danger" isLoading={busy} onClick={onTakeMine}>
          {i18n.translate('dyno.editor.conflict.takeMine', { defaultMessage: 'Save mine over theirs' })}
        </EuiButton>
      </EuiModalFooter>
    </EuiModal>
  );
}
