/** How charts look: Elastic's own themes, in the colours of the page around them. */
import { DARK_THEME, LIGHT_THEME, type Theme } from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { useLayoutEffect, useMemo } from 'react';
import { useDarkMode } from '../app/context';
import { putSheet } from './style';

export interface ChartTheme {
  baseTheme: Theme;
  theme: { background: { color: string } };
}

/** For `<Settings baseTheme theme>` of every chart. */
export function useChartTheme(): ChartTheme {
  const dark = useDarkMode();
  useLayoutEffect(() => putSheet(dark), [dark]);
  return useMemo(
    () => ({
      baseTheme: dark ? DARK_THEME : LIGHT_THEME,
      theme: { background: { color: 'transparent' } },
    }),
    [dark],
  );
}

/** Colours of data by their order, as EUI has them for both themes: cells, tasks, nodes. */
export function useSeriesColours(): readonly string[] {
  const { euiTheme } = useEuiTheme();
  return useMemo(() => {
    const { colors } = euiTheme;
    return [
      colors.vis.euiColorVis0,
      colors.vis.euiColorVis2,
      colors.vis.euiColorVis4,
      colors.vis.euiColorVis6,
      colors.vis.euiColorVis8,
      colors.vis.euiColorVis1,
      colors.vis.euiColorVis3,
      colors.vis.euiColorVis5,
      colors.vis.euiColorVis7,
      colors.vis.euiColorVis9,
    ];
  }, [euiTheme]);
}
