/** Theme of the charts: Elastic's own themes in the colours of the page. */
import { DARK_THEME, LIGHT_THEME, type Theme } from '@elastic/charts';
import { useEuiTheme } from '@elastic/eui';
import { useLayoutEffect, useMemo } from 'react';
import { useDarkMode } from '../app/context';
import dark from '@elastic/charts/dist/theme_only_dark.css';
import light from '@elastic/charts/dist/theme_only_light.css';

const ID = 'dyno-charts';

/**
 * Adds the style sheet for the page's theme to the document, and removes the sheet of the other theme. Without a sheet, charts have no
 * size.
 */
function putSheet(isDark: boolean): void {
  const known = document.getElementById(ID);
  const theme = isDark ? 'dark' : 'light';
  if (known?.dataset.theme === theme) return;
  const sheet = known ?? document.createElement('style');
  sheet.id = ID;
  sheet.dataset.theme = theme;
  sheet.textContent = isDark ? dark : light;
  if (known === null) document.head.append(sheet);
}

export interface ChartTheme {
  baseTheme: Theme;
  theme: { background: { color: string } };
}

/** Returns the properties for `<Settings baseTheme theme>` of every chart. */
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

/** Returns EUI's colours for series of data, such as tasks or nodes, in their order. */
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
