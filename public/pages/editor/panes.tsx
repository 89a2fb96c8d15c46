/** Form and YAML side by side, or as tabs if there is no space. */
import { EuiTab, EuiTabs, useIsWithinMaxBreakpoint, useEuiTheme } from '@elastic/eui';
import { type ReactNode } from 'react';
import { i18n } from '../../i18n';

export type Pane = 'form' | 'yaml';

interface PanesProps {
  form: ReactNode;
  yaml: ReactNode;
  /** Content that is shown above the YAML. */
  beside: ReactNode;
  shown: Pane;
  onShow: (pane: Pane) => void;
}

/** Vertical position of the panes, below the sticky toolbar. */
const TOP = 'calc(var(--euiFixedHeadersOffset, 0px) + 56px)';

export function Panes({ form, yaml, beside, shown, onShow }: PanesProps): ReactNode {
  const narrow = useIsWithinMaxBreakpoint('m');
  const { euiTheme } = useEuiTheme();
  const pane = (id: Pane) =>
    narrow
      ? { id: `dyno-pane-${id}`, role: 'tabpanel', 'aria-labelledby': `dyno-tab-${id}`, hidden: shown !== id }
      : {};
  // Both layouts use the same tree, because mounting the YAML again would lose its cursor and its undo history.
  return (
    <div
      css={
        narrow
          ? { display: 'flex', flexDirection: 'column', gap: 12 }
          : {
              display: 'grid',
              gridTemplateColumns: 'minmax(0, 11fr) minmax(0, 9fr)',
              gap: 16,
              alignItems: 'start',
            }
      }
    >
      {narrow ? <Tabs shown={shown} onShow={onShow} /> : null}
      <div {...pane('form')}>{form}</div>
      <div
        css={
          narrow
            ? { display: 'contents' }
            : {
                position: 'sticky',
                insetBlockStart: TOP,
                blockSize: `calc(100vh - ${TOP} - 16px)`,
                minBlockSize: 360,
                display: 'flex',
                flexDirection: 'column',
                gap: 12,
              }
        }
      >
        <div css={{ order: narrow ? -1 : 0, display: 'flex', flexDirection: 'column', gap: 12 }}>
          {beside}
        </div>
        <div
          {...pane('yaml')}
          css={{
            border: euiTheme.border.thin,
            borderRadius: euiTheme.border.radius.medium,
            overflow: 'hidden',
            minBlockSize: 180,
            ...(narrow ? { blockSize: '70vh' } : { flex: '1 1 0' }),
          }}
        >
          {yaml}
        </div>
      </div>
    </div>
  );
}

function Tabs({ shown, onShow }: Pick<PanesProps, 'shown' | 'onShow'>): ReactNode {
  const tabs: { id: Pane; label: string }[] = [
    { id: 'form', label: i18n.translate('dyno.editor.panes.form', { defaultMessage: 'Form' }) },
    { id: 'yaml', label: i18n.translate('dyno.editor.panes.yaml', { defaultMessage: 'YAML' }) },
  ];
  return (
    <EuiTabs size="s">
      {tabs.map(({ id, label }) => (
        <EuiTab
          key={id}
          id={`dyno-tab-${id}`}
          aria-controls={`dyno-pane-${id}`}
          isSelected={shown === id}
          onClick={() => onShow(id)}
        >
          {label}
        </EuiTab>
      ))}
    </EuiTabs>
  );
}
