/** Creates the numbers of a group in one window, as a search returns them. */
import { noCauses, type WindowFigures } from '../figures';

/** Returns the numbers of a window. `rate`: rejected share, in [0, 1], of 1,000 documents of group `a` by default. */
export const figures = (
  rate: number,
  { group = 'a', attempted = 1000, silenced = 0 }: Partial<WindowFigures> = {},
): WindowFigures => ({
  group,
  name: group.toUpperCase(),
  attempted,
  rejected: Math.round(attempted * rate),
  silenced,
  causes: noCauses(),
  restarts: 0,
  run: null,
});
