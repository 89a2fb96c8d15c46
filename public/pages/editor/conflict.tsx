/**
 * Dialog that is shown if another user has saved the experiment in the meantime. It shows both versions side by side, and the user chooses
 * one of them.
 */
import { EuiButton, EuiButtonEmpty, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { Experiment } from '../../../common/api/experiments';
import { i18n } from '../../i18n';
import { Dialog } from '../../ui/dialog';
import { formatLocal } from '../../ui/time';
import { Difference } from './yaml/difference';

interface ConflictProps {
  theirs: Experiment;
  mine: string;
  busy: boolean;
  onTakeTheirs: () => void;
  onTakeMine: () => void;
  onKeepEditing: () => void;
}

export function Conflict({
  theirs,
  mine,
  busy,
  onTakeTheirs,
  onTakeMine,
  onKeepEditing,
}: ConflictProps): ReactNode {
  return (
    <Dialog
      onClose={onKeepEditing}
      maxWidth={1100}
      css={{ inlineSize: '90vw' }}
      title={i18n.translate('dyno.editor.conflict.title', {
        defaultMessage: 'Someone else saved this experiment in the meantime',
      })}
      footer={
        <>
          <EuiButtonEmpty onClick={onKeepEditing}>
            {i18n.translate('dyno.editor.conflict.keep', { defaultMessage: 'Keep editing' })}
          </EuiButtonEmpty>
          <EuiButton onClick={onTakeTheirs}>
            {i18n.translate('dyno.editor.conflict.takeTheirs', {
              defaultMessage: 'Discard my changes, use theirs',
            })}
          </EuiButton>
          <EuiButton color="danger" isLoading={busy} onClick={onTakeMine}>
            {i18n.translate('dyno.editor.conflict.takeMine', {
              defaultMessage: 'Overwrite their changes with mine',
            })}
          </EuiButton>
        </>
      }
    >
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.editor.conflict.body', {
            defaultMessage: 'Until you choose, your changes are not saved, and theirs are not overwritten.',
          })}
        </p>
      </EuiText>
      <br />
      <Difference
        leftTitle={i18n.translate('dyno.editor.conflict.theirs', {
          defaultMessage: 'Saved {time}',
          values: { time: formatLocal(theirs.updated) },
        })}
        left={theirs.text}
        rightTitle={i18n.translate('dyno.editor.conflict.mine', { defaultMessage: 'Yours' })}
        right={mine}
      />
    </Dialog>
  );
}
