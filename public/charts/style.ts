/** The style sheet without which Elastic Charts have no size: put into the document by the first chart that is drawn. */
import dark from '@elastic/charts/dist/theme_only_dark.css';
import light from '@elastic/charts/dist/theme_only_light.css';

const ID = 'dyno-charts';

/** Of the page's theme; the sheet of the other one is replaced. */
export function putSheet(isDark: boolean): void {
  const known = document.getElementById(ID);
  const theme = isDark ? 'dark' : 'light';
  if (known?.dataset.theme === theme) return;
  const sheet = known ?? document.createElement('style');
  sheet.id = ID;
  sheet.dataset.theme = theme;
  sheet.textContent = isDark ? dark : light;
  if (known === null) document.head.append(sheet);
}
