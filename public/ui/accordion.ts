/** A style for accordions that sets their height. */

/** Makes an open accordion as high as its content. EUI measures the height only once, before the page has its final width. */
export const OWN_HEIGHT = {
  '& > .euiAccordion__childWrapper:not([inert])': { blockSize: 'auto !important' },
} as const;
