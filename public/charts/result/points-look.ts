/** Points that each have a colour and a shape of their own, in one series: as many series as points would take long to lay out. */
import type { BubbleSeries } from '@elastic/charts';
import type { ComponentProps } from 'react';
import type { Look } from './marks';

/** How a `BubbleSeries` draws data that have a `look`. `radius` in px; `around`: colour of the edge. */
export const pointsLook = (
  radius: number,
  around: string,
): Pick<ComponentProps<typeof BubbleSeries>, 'bubbleSeriesStyle' | 'pointStyleAccessor'> => ({
  bubbleSeriesStyle: {
    point: { visible: 'always', radius, strokeWidth: 1, opacity: 1, stroke: around },
  },
  pointStyleAccessor: ({ datum }) => {
    const look = (datum as { look?: Pick<Look, 'colour' | 'shape'> } | undefined)?.look;
    return look === undefined ? null : { fill: look.colour, shape: look.shape };
  },
});
