/**
 * What Kibana's global styles do to elements of ours, undone; and what EUI takes from global classes that the build has
 * given names of their own (`euiX` is `dynoEuiX` in the plugin, here too).
 */
import { ROOT_CLASS } from './root-class';

/** From 8.3 on, Kibana rings whatever has the focus, by three classes' weight: ours must weigh more. */
const FOCUSED = ':focus:focus:focus';

/** As EUI hides texts that are for screen readers or for the clipboard only. */
const HIDDEN = `
  position: absolute;
  inset-block-start: auto;
  inset-inline-start: -10000px;
  inline-size: 1px;
  block-size: 1px;
  clip-path: inset(50%);
  overflow: hidden;
  margin: -1px;`;

export const STYLES = `
.${ROOT_CLASS} .euiScreenReaderOnly {${HIDDEN}
}
/* Who clicks sees what was clicked; the ring is for the keyboard. */
.${ROOT_CLASS} :not(input, textarea, select)${FOCUSED}:not(:focus-visible) {
  outline: none;
}
/* Fields draw their own line in the colour of their state. */
.${ROOT_CLASS} :is(input:not([type='radio'], [type='checkbox']), textarea, select)${FOCUSED} {
  outline: var(--euiFormControlStateWidth) solid var(--euiFormControlStateColor);
}
`;
