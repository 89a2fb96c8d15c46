/** All trials of the first claim, drawn as in the HTML report, in the colours of the page and at the available width. */
import { EuiResizeObserver, useEuiTheme } from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import { focusChart } from '../../../common/report/chart/focus';
import type { Report } from '../../../common/report/model/report';
import { chartRules } from '../../../common/report/render/picture';
import { usePictureColours } from '../../ui/picture-colours';

/** Assumed width until the available width is measured, in px. */
const USUAL_WIDTH = 720;
/** Width in px below which the chart is drawn lower. */
const NARROW = 480;
const HEIGHT = 232;
const NARROW_HEIGHT = 144;

export function FocusPlot({ report }: { report: Report }): ReactNode {
  const { euiTheme } = useEuiTheme();
  const colours = usePictureColours();
  const [width, setWidth] = useState(USUAL_WIDTH);
  const markup = useMemo(
    () => focusChart(report, { width, height: width < NARROW ? NARROW_HEIGHT : HEIGHT }),
    [report, width],
  );
  const style = useMemo(
    () => ({
      '& svg': {
        display: 'block',
        maxInlineSize: '100%',
        fontFamily: euiTheme.font.family,
        overflow: 'visible',
      },
      ...Object.fromEntries(
        Object.entries(chartRules(colours)).map(([selector, rules]) => [`& svg ${selector}`, rules]),
      ),
    }),
    [colours, euiTheme],
  );
  return (
    <EuiResizeObserver onResize={({ width: now }) => setWidth(Math.max(240, Math.floor(now)))}>
      {(ref) => (
        <div
          ref={ref}
          css={style}
          data-test-subj="dynoFocusPlot"
          // This is safe, because Dyno itself creates the markup and escapes every text in it.
          dangerouslySetInnerHTML={{ __html: markup }}
        />
      )}
    </EuiResizeObserver>
  );
}
