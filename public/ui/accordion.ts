/** The height of accordions. */

/**
 * An open accordion is as high as what it holds: EUI measures it, and keeps what it measured before a page has found its
 * width.
 */
export const OWN_HEIGHT = {
  '& > .euiAccordion__childWrapper:not([inert])': { blockSize: 'auto !important' },
} as const;
