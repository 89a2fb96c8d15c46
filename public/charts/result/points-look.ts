/** Draws many points of different colours and shapes as one series. A separate series for each point would be slow to draw. */
import type { BubbleSeries } from '@elastic/charts';
import type { ComponentProps } from 'react';
import type { Look } from './marks';

/**
 * Returns style properties for a `BubbleSeries` whose data contain a `look`. `radius`: radius of the points, in px. `around`: colour of
 * their edge.
 */
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
