/** Light or dark mode: the user's choice on this page, else the system's setting. */
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
