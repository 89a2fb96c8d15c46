/** Errors of templates, with the place in the source at which they were found. */

/** A template: its text, and what it is called. */
export interface Source {
  file: string;
  text: string;
}

export interface Position {
  source: Source;
  /** Offset in the text of the source. */
  at: number;
}

/** Something that Jinja refuses as well, or that Dyno cannot render as Jinja does. */
export class TemplateFault extends Error {
  constructor(
    message: string,
    readonly position?: Position,
  ) {
    super(message);
  }
}

export const fault = (message: string): TemplateFault => new TemplateFault(message);
