/** Errors of templates with their position in the source. */

/** File name and text of a template. */
export interface Source {
  file: string;
  text: string;
}

export interface Position {
  source: Source;
  /** Offset in the text of the source. */
  at: number;
}

/** Error in a template: either an error for Jinja too, or something that Dyno cannot render in the same way as Jinja. */
export class TemplateFault extends Error {
  constructor(
    message: string,
    readonly position?: Position,
  ) {
    super(message);
  }
}

export const fault = (message: string): TemplateFault => new TemplateFault(message);
