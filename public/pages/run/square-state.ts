/** The state of a square in the grid of trials, in words. */
import { i18n } from '../../i18n';
import { stateName } from '../../ui/run-state';
import type { SquareState } from './grid';

export const squareState = (state: SquareState): string =>
  state === 'left-out'
    ? i18n.translate('dyno.grid.leftOut', { defaultMessage: 'not needed, because the claims were decided' })
    : state === 'planned'
      ? i18n.translate('dyno.grid.planned', { defaultMessage: 'planned' })
      : stateName(state);
