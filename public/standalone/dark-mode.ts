/** Light or dark mode of the page outside Kibana. By default, the mode of the system is used. The user's choice has priority. */
import { settable } from './changing';

const KEY = 'dyno.dark';
const system = window.matchMedia('(prefers-color-scheme: dark)');

function chosen(): boolean | null {
  const text = localStorage.getItem(KEY);
  return text === null ? null : text === 'true';
}

export const darkMode = settable(chosen() ?? system.matches);

system.addEventListener('change', ({ matches }) => {
  if (chosen() === null) darkMode.set(matches);
});

export function setDarkMode(dark: boolean): void {
  localStorage.setItem(KEY, String(dark));
  darkMode.set(dark);
}
