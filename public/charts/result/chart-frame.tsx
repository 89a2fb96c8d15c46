/** The frame around every chart: title, a sentence on how to read the chart, legend, and a button that saves the chart as a picture. */
import type { Chart } from '@elastic/charts';
import { EuiButtonIcon, EuiFlexGroup, EuiFlexItem, EuiText, EuiToolTip, useEuiTheme } from '@elastic/eui';
import { useMemo, useRef, type ReactNode, type RefObject } from 'react';
import { i18n } from '../../i18n';
import { useToasts } from '../../ui/toasts';
import { download, fileName } from '../../ui/download';
import { NearViewport } from './near-viewport';
import { composePng, type LegendEntry } from './png';
import { ChartContext } from './result-chart';

export interface ChartFrameProps {
  title: string;
  /** A sentence on how to read the chart. */
  description: string;
  legend?: readonly LegendEntry[];
  /** Height of the chart, in px. `auto`: the chart is not one of Elastic Charts and has its own height. It cannot be saved as a picture. */
  height: number | 'auto';
  /** Controls next to the title. */
  controls?: ReactNode;
  /** Why there is nothing to draw; '' if the chart has data. */
  empty?: string;
  /** A chart from this folder. */
  children: ReactNode;
}

function Legend({ entries }: { entries: readonly LegendEntry[] }): ReactNode {
  const { euiTheme } = useEuiTheme();
  return (
    <ul
      css={{
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 16,
        rowGap: 4,
        marginBlockStart: 4,
        fontSize: euiTheme.size.m,
      }}
    >
      {entries.map(({ name, colour, glyph }) => (
        <li key={name}>
          <span aria-hidden css={{ color: colour, marginInlineEnd: 6 }}>
            {glyph}
          </span>
          {name}
        </li>
      ))}
    </ul>
  );
}

function usePng({ title, description, legend = [] }: ChartFrameProps, chart: RefObject<Chart>): () => void {
  const { euiTheme } = useEuiTheme();
  const toasts = useToasts();
  const make = async (): Promise<void> => {
    const background = euiTheme.colors.backgroundBasePlain;
    const shot = chart.current?.getPNGSnapshot({ backgroundColor: background });
    if (!shot) return;
    const blob = await composePng(String(shot.blobOrDataUrl), window.devicePixelRatio, {
      title,
      subtitle: description,
      legend,
      background,
      colour: euiTheme.colors.textParagraph,
      quiet: euiTheme.colors.textSubdued,
      font: euiTheme.font.family,
    });
    download(blob, fileName(title, 'png'));
  };
  return () => {
    make().catch((error: unknown) =>
      toasts.failed(
        i18n.translate('dyno.chart.pngFailed', { defaultMessage: 'The image could not be created' }),
        error,
      ),
    );
  };
}

export function ChartFrame(props: ChartFrameProps): ReactNode {
  const { title, description, legend = [], height, controls, empty = '', children } = props;
  const chart = useRef<Chart>(null);
  const png = usePng(props, chart);
  const context = useMemo(() => ({ chart, title, description }), [title, description]);
  const label = i18n.translate('dyno.chart.png', { defaultMessage: 'Download as PNG' });
  if (empty !== '')
    return (
      <EuiText size="s" data-test-subj="dynoNoChart">
        <p>{empty}</p>
      </EuiText>
    );
  return (
    <figure aria-label={title} css={{ margin: 0 }}>
      <EuiFlexGroup gutterSize="s" responsive={false} alignItems="flexStart">
        <EuiFlexItem>
          <EuiText size="s" component="div">
            <h3>{title}</h3>
            <p>
              <EuiText size="xs" color="subdued" component="span">
                {description}
              </EuiText>
            </p>
          </EuiText>
        </EuiFlexItem>
        {controls === undefined ? null : <EuiFlexItem grow={false}>{controls}</EuiFlexItem>}
        {height === 'auto' ? null : (
          <EuiFlexItem grow={false}>
            <EuiToolTip content={label} disableScreenReaderOutput>
              <EuiButtonIcon
                iconType="download"
                aria-label={`${label}: ${title}`}
                onClick={png}
                color="text"
              />
            </EuiToolTip>
          </EuiFlexItem>
        )}
      </EuiFlexGroup>
      <ChartContext.Provider value={context}>
        {height === 'auto' ? (
          children
        ) : (
          <NearViewport height={height}>{() => <div css={{ height }}>{children}</div>}</NearViewport>
        )}
      </ChartContext.Provider>
      {legend.length > 0 ? <Legend entries={legend} /> : null}
    </figure>
  );
}
