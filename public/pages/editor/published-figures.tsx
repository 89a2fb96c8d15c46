/** What the account that a preset follows has printed. */
import {
  EuiAccordion,
  EuiBasicTable,
  EuiSpacer,
  EuiText,
  useGeneratedHtmlId,
  type EuiBasicTableColumn,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { shortNames, showLevel } from '../../../common/experiment/cells';
import { findPreset } from '../../../common/presets';
import type { PrintedFigure, PublishedRow } from '../../../common/presets/published';
import { formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';

const showFigure = (figure: PrintedFigure | undefined): string =>
  typeof figure === 'string' ? figure : formatNumber(figure);

export function PublishedFigures({ preset }: { preset: unknown }): ReactNode {
  const id = useGeneratedHtmlId();
  const published = typeof preset === 'string' ? findPreset(preset)?.published : undefined;
  if (!published) return null;
  const paths = [...new Set(published.rows.flatMap(({ levels }) => Object.keys(levels)))];
  const names = shortNames(paths);
  const columns: EuiBasicTableColumn<PublishedRow>[] = [
    ...paths.map((path) => ({
      name: names.get(path),
      render: ({ levels }: PublishedRow) => showLevel(levels[path]),
    })),
    ...Object.entries(published.units).map(([figure, unit]) => ({
      name: unit,
      align: 'right' as const,
      render: ({ figures }: PublishedRow) => showFigure(figures[figure]),
    })),
  ];
  const title = i18n.translate('dyno.editor.published.title', { defaultMessage: 'What was published' });
  return (
    <>
      <EuiSpacer size="s" />
      <EuiAccordion id={id} buttonContent={<EuiText size="s">{title}</EuiText>} paddingSize="none">
        <div css={{ maxBlockSize: 260, overflowY: 'auto' }} tabIndex={0} role="region" aria-label={title}>
          <EuiText size="xs">
            <p>
              <strong>{published.title}</strong>
            </p>
            <ul>
              {published.conditions.map((condition) => (
                <li key={condition}>{condition}</li>
              ))}
            </ul>
          </EuiText>
          {published.rows.length === 0 ? null : (
            <EuiBasicTable
              compressed
              tableCaption={title}
              responsiveBreakpoint={false}
              items={published.rows}
              columns={columns}
            />
          )}
        </div>
      </EuiAccordion>
    </>
  );
}
