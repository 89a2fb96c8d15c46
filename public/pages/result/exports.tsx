/** Exports of the result: files in all formats, and a link to the current view. */
import { EuiContextMenuItem, EuiContextMenuPanel, EuiPopover, copyToClipboard } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { EXPORT_FORMATS } from '../../../common/api/runs';
import { FINAL_STATES } from '../../../common/experiment/run';
import type { Report } from '../../../common/report/model/report';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { download, fileName } from '../../ui/download';
import { useToasts } from '../../ui/toasts';
import { HeaderButton } from './header-button';
import { verdictPng } from './picture';
import { usePictureColours } from '../../ui/picture-colours';

type Format = (typeof EXPORT_FORMATS)[number];

function formatName(format: Format): string {
  switch (format) {
    case 'csv':
      return i18n.translate('dyno.export.csv', { defaultMessage: 'CSV: one row per cell and task' });
    case 'json':
      return i18n.translate('dyno.export.json', { defaultMessage: 'JSON: everything, for scripts' });
    case 'md':
      return i18n.translate('dyno.export.md', { defaultMessage: 'Markdown: tables for an issue or a wiki' });
    case 'html':
      return i18n.translate('dyno.export.html', {
        defaultMessage: 'HTML: one page with charts, opens offline',
      });
  }
}

const ICONS: Record<Format, string> = { csv: 'table', json: 'code', md: 'document', html: 'globe' };

interface ExportMenuProps {
  run: string;
  /** The report; undefined until it is loaded. */
  report: Report | undefined;
}

export function ExportMenu({ run, report }: ExportMenuProps): ReactNode {
  const { client } = useApp();
  const makePicture = usePicture();
  // Only a run that has ended can be exported for other installations.
  const hasEnded = report !== undefined && FINAL_STATES.includes(report.run.state);
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
      button={<HeaderButton label={label} icon="download" onClick={() => setOpen((open) => !open)} />}
    >
      <EuiContextMenuPanel
        items={[
          ...(report === undefined || report.run.trials.completed === 0
            ? []
            : [
                <EuiContextMenuItem
                  key="picture"
                  icon="image"
                  onClick={() => {
                    close();
                    makePicture(report);
                  }}
                >
                  {i18n.translate('dyno.export.picture', {
                    defaultMessage: 'Picture (PNG): the verdict for a ticket or a talk',
                  })}
                </EuiContextMenuItem>,
              ]),
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
                    defaultMessage: 'Run: all stored data, to import elsewhere',
                  })}
                </EuiContextMenuItem>,
              ]
            : []),
        ]}
      />
    </EuiPopover>
  );
}

/** Returns a function that downloads the verdict as a PNG image. */
function usePicture(): (report: Report) => void {
  const toasts = useToasts();
  const colours = usePictureColours();
  return (report) => {
    verdictPng(report, colours)
      .then((blob) => download(blob, fileName(`${report.experiment.name} verdict`, 'png', 'verdict')))
      .catch((error: unknown) =>
        toasts.failed(
          i18n.translate('dyno.chart.pngFailed', { defaultMessage: 'The image could not be created' }),
          error,
        ),
      );
  };
}

export function CopyLink(): ReactNode {
  const toasts = useToasts();
  return (
    <HeaderButton
      label={i18n.translate('dyno.export.copy', { defaultMessage: 'Copy link' })}
      icon="link"
      onClick={() => {
        if (copyToClipboard(window.location.href)) {
          toasts.done(i18n.translate('dyno.export.copied', { defaultMessage: 'Link copied' }));
        }
      }}
    />
  );
}
