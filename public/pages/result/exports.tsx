/** The result to take along: as files of every kind, and as a link to exactly this view. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiContextMenuItem,
  EuiContextMenuPanel,
  EuiPopover,
  copyToClipboard,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { EXPORT_FORMATS } from '../../../common/api/runs';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { useToasts } from '../../ui/toasts';

type Format = (typeof EXPORT_FORMATS)[number];

function formatName(format: Format): string {
  switch (format) {
    case 'csv':
      return i18n.translate('dyno.export.csv', { defaultMessage: 'CSV: one row per cell and task' });
    case 'json':
      return i18n.translate('dyno.export.json', { defaultMessage: 'JSON: everything, for machines' });
    case 'md':
      return i18n.translate('dyno.export.md', { defaultMessage: 'Markdown: tables for an issue or a wiki' });
    case 'html':
      return i18n.translate('dyno.export.html', {
        defaultMessage: 'HTML: one page with charts, opens offline',
      });
  }
}

const ICONS: Record<Format, string> = { csv: 'table', json: 'code', md: 'document', html: 'globe' };

/** `hasEnded`: only such a run can be taken elsewhere. */
export function ExportMenu({ run, hasEnded }: { run: string; hasEnded: boolean }): ReactNode {
  const { client } = useApp();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const label = i18n.translate('dyno.export', { defaultMessage: 'Export' });
  return (
    <EuiPopover
      aria-label={label}
      isOpen={isOpen}
      closePopover={close}
      panelPaddingSize="none"
      anchorPosition="downRight"
      button={
        <EuiButton size="s" iconType="download" onClick={() => setOpen((open) => !open)}>
          {label}
        </EuiButton>
      }
    >
      <EuiContextMenuPanel
        items={[
          ...EXPORT_FORMATS.map((format) => (
            <EuiContextMenuItem
              key={format}
              icon={ICONS[format]}
              href={client.urlOf('exportReport', { params: { id: run }, query: { format } })}
              onClick={close}
            >
              {formatName(format)}
            </EuiContextMenuItem>
          )),
          ...(hasEnded
            ? [
                <EuiContextMenuItem
                  key="run"
                  icon="documents"
                  href={client.urlOf('exportRuns', { query: { run } })}
                  onClick={close}
                >
                  {i18n.translate('dyno.export.run', {
                    defaultMessage: 'Run: all that is kept, to import elsewhere',
                  })}
                </EuiContextMenuItem>,
              ]
            : []),
        ]}
      />
    </EuiPopover>
  );
}

export function CopyLink(): ReactNode {
  const toasts = useToasts();
  return (
    <EuiButtonEmpty
      size="s"
      iconType="link"
      onClick={() => {
        if (copyToClipboard(window.location.href)) {
          toasts.done(i18n.translate('dyno.export.copied', { defaultMessage: 'Link copied' }));
        }
      }}
    >
      {i18n.translate('dyno.export.copy', { defaultMessage: 'Copy link' })}
    </EuiButtonEmpty>
  );
}
