/** A module that Dyno adds to a reduced distribution. */

export interface Jar {
  /** Maven coordinates, as `group:artifact:version`. */
  coordinates: string;
  /** SHA-512 of the jar, in hex. */
  sha512: string;
}

export interface AddedModule {
  /** Name of the folder in `modules`, which is the name in the descriptor. */
  name: string;
  /** All jars of the module except those that the server or an extended module has. */
  jars: readonly Jar[];
  /**
   * Files of the module that its jars do not contain, by name. If they do not include a plugin descriptor, the first jar must contain one.
   */
  files?: Readonly<Record<string, string>>;
  /** Replaces `extended.plugins` of the descriptor, which may list modules that are not published. */
  extended?: readonly string[];
  /**
   * Java sources by class name. These stub classes replace classes of unpublished modules to which the module refers. They are compiled
   * into an additional jar.
   */
  stubs?: Readonly<Record<string, string>>;
}

export const jar = (coordinates: string, sha512: string): Jar => ({ coordinates, sha512 });

/** The parser library of several modules. */
export const ANTLR = jar(
  'org.antlr:antlr4-runtime:4.13.1',
  '63eb51bfcee49c52848d8b7c3c46d8b4d367d85fb3c3db7175eaacba94e4d0c227b78e5955a0e86e575e1c6206fc2a43e5fa96fb04ad7c16e24ec94015cfc18b',
);
