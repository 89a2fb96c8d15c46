/** Returns the colours for the verdict of a run, both on the page and in the downloaded image. They come from the current theme. */
import { useEuiTheme } from '@elastic/eui';
import { useMemo } from 'react';
import type { PictureColours } from '../../common/report/render/picture';

export function usePictureColours(): PictureColours {
  const { colors } = useEuiTheme().euiTheme;
  return useMemo(
    () => ({
      paper: colors.backgroundBasePlain,
      ink: colors.textHeading,
      quiet: colors.textSubdued,
      rule: colors.borderBaseSubdued,
      main: colors.vis.euiColorVis2,
      reference: colors.vis.euiColorVis0,
      good: { soft: colors.backgroundLightSuccess, ink: colors.textSuccess },
      bad: { soft: colors.backgroundLightDanger, ink: colors.textDanger },
      warning: { soft: colors.backgroundLightWarning, ink: colors.textWarning },
      plain: { soft: colors.backgroundLightText, ink: colors.textParagraph },
    }),
    [colors],
  );
}
