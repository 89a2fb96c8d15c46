/** Sticky toolbar with the actions of the editor: undo, save, run. */
import {
  EuiBadge,
  EuiButton,
  EuiButtonIcon,
  EuiContextMenuItem,
  EuiContextMenuPanel,
  EuiFlexGroup,
  EuiFlexItem,
  EuiPopover,
  EuiText,
  EuiToolTip,
  useEuiTheme,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { i18n } from '../../i18n';
import { formatLocal } from '../../ui/time';
import type { EditorState } from './use-editor';

export interface MenuAction {
  label: string;
  icon: string;
  onClick: () => void;
  disabled?: boolean;
}

interface ToolbarProps {
  editor: EditorState;
  readOnly: boolean;
  busy: boolean;
  canRun: boolean;
  onSave: () => void;
  onSaveAndRun: () => void;
  menu: readonly MenuAction[];
}

function State({ editor: { dirty, base, checked } }: { editor: EditorState }): ReactNode {
  const words = dirty
    ? i18n.translate('dyno.editor.toolbar.unsaved', { defaultMessage: 'Unsaved changes' })
    : base === null
      ? i18n.translate('dyno.editor.toolbar.new', { defaultMessage: 'Not saved yet' })
      : i18n.translate('dyno.editor.toolbar.saved', {
          defaultMessage: 'Saved {time}',
          values: { time: formatLocal(base.updated) },
        });
  const count = checked.problems.length;
  return (
    <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false} aria-live="polite">
      <EuiFlexItem grow={false}>
        <EuiText size="s" color={dirty ? 'default' : 'subdued'}>
          {words}
        </EuiText>
      </EuiFlexItem>
      {count === 0 ? null : (
        <EuiFlexItem grow={false}>
          <EuiBadge color="danger">
            {i18n.translate('dyno.editor.problems.title', {
              defaultMessage: '{count, plural, one {# problem} other {# problems}}',
              values: { count },
            })}
          </EuiBadge>
        </EuiFlexItem>
      )}
    </EuiFlexGroup>
  );
}

function More({ menu }: { menu: readonly MenuAction[] }): ReactNode {
  const [open, setOpen] = useState(false);
  const label = i18n.translate('dyno.editor.toolbar.more', { defaultMessage: 'More actions' });
  return (
    <EuiPopover
      aria-label={label}
      isOpen={open}
      closePopover={() => setOpen(false)}
      panelPaddingSize="none"
      anchorPosition="downRight"
      button={
        <EuiButtonIcon
          display="base"
          size="s"
          iconType="boxesVertical"
          aria-label={label}
          onClick={() => setOpen(!open)}
        />
      }
    >
      <EuiContextMenuPanel
        items={menu.map(({ label: name, icon, onClick, disabled }) => (
          <EuiContextMenuItem
            key={name}
            icon={icon}
            disabled={disabled}
            onClick={() => {
              setOpen(false);
              onClick();
            }}
          >
            {name}
          </EuiContextMenuItem>
        ))}
      />
    </EuiPopover>
  );
}

function UndoButtons({ editor: { view, history } }: { editor: EditorState }): ReactNode {
  const undo = i18n.translate('dyno.editor.toolbar.undo', { defaultMessage: 'Undo' });
  const redo = i18n.translate('dyno.editor.toolbar.redo', { defaultMessage: 'Redo' });
  return (
    <>
      <EuiToolTip content={undo} disableScreenReaderOutput>
        <EuiButtonIcon
          size="s"
          iconType="undo"
          color="text"
          aria-label={undo}
          isDisabled={history.undo === 0}
          onClick={() => view?.undo()}
        />
      </EuiToolTip>
      <EuiToolTip content={redo} disableScreenReaderOutput>
        <EuiButtonIcon
          size="s"
          iconType="redo"
          color="text"
          aria-label={redo}
          isDisabled={history.redo === 0}
          onClick={() => view?.redo()}
        />
      </EuiToolTip>
    </>
  );
}

export function Toolbar(props: ToolbarProps): ReactNode {
  const { editor, readOnly, busy, canRun, onSave, onSaveAndRun, menu } = props;
  const { euiTheme } = useEuiTheme();
  const nothingToSave = !editor.dirty && editor.base !== null;
  return (
    <div
      role="toolbar"
      aria-label={i18n.translate('dyno.editor.toolbar.label', { defaultMessage: 'Save and run' })}
      css={{
        position: 'sticky',
        insetBlockStart: 'var(--euiFixedHeadersOffset, 0px)',
        // Above the content, below the mask of a flyout.
        zIndex: Number(euiTheme.levels.maskBelowHeader) - 1,
        background: euiTheme.colors.backgroundBasePlain,
        paddingBlock: 8,
        marginBlockEnd: 12,
        borderBlockEnd: euiTheme.border.thin,
      }}
    >
      <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false} wrap>
        <EuiFlexItem>
          <State editor={editor} />
        </EuiFlexItem>
        {readOnly ? null : (
          <EuiFlexItem grow={false} css={{ flexDirection: 'row' }}>
            <UndoButtons editor={editor} />
          </EuiFlexItem>
        )}
        <EuiFlexItem grow={false}>
          <More menu={menu} />
        </EuiFlexItem>
        {readOnly ? null : (
          <EuiFlexItem grow={false}>
            <EuiButton size="s" iconType="save" isLoading={busy} isDisabled={nothingToSave} onClick={onSave}>
              {i18n.translate('dyno.editor.toolbar.save', { defaultMessage: 'Save' })}
            </EuiButton>
          </EuiFlexItem>
        )}
        {canRun ? (
          <EuiFlexItem grow={false}>
            <EuiButton size="s" fill iconType="play" isLoading={busy} onClick={onSaveAndRun}>
              {nothingToSave
                ? i18n.translate('dyno.editor.toolbar.run', { defaultMessage: 'Run' })
                : i18n.translate('dyno.editor.toolbar.saveAndRun', { defaultMessage: 'Save and run' })}
            </EuiButton>
          </EuiFlexItem>
        ) : null}
      </EuiFlexGroup>
    </div>
  );
}
