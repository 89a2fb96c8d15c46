/**
 * Styles of the app in Kibana. Some undo the effects of Kibana's global styles on the app's elements. Others replace EUI's global classes.
 * In the plugin, the build renames EUI's classes in all files, also in this one (`euiX` becomes `dynoEuiX`).
 */
import { ROOT_CLASS } from './root-class';

/** Selector for focused elements. It is more specific than Kibana's selector for the focus ring, which has three classes since 8.3. */
const FOCUSED = ':focus:focus:focus';

/** EUI's style for texts that are only for screen readers or the clipboard. */
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
