/** A module that Dyno adds to a reduced distribution. */

export interface Jar {
  /** Maven coordinates, as `group:artifact:version`. */
  coordinates: string;
  /** SHA-512 of the jar, in hex. */
  sha512: string;
}

export interface AddedModule {
  /** Name of the module in its plugin descriptor, and of its folder in `modules`. */
  name: string;
  /** All jars of the module except those of the server and of the modules that it extends. */
  jars: readonly Jar[];
  /**
   * Contents of files that the jars of the module do not contain, by file name. If they do not include a plugin descriptor, the first jar
   * must contain one.
   */
  files?: Readonly<Record<string, string>>;
  /**
   * Modules that this module extends. Replaces the value of `extended.plugins` in the descriptor, which may list modules that are not
   * published.
   */
  extended?: readonly string[];
  /**
   * Java source code of stub classes, by class name. The stubs replace classes of unpublished modules to which the module refers. Dyno
   * compiles them into an additional jar.
   */
  stubs?: Readonly<Record<string, string>>;
}

export const jar = (coordinates: string, sha512: string): Jar => ({ coordinates, sha512 });

/** The parser library ANTLR, which several modules need. */
export const ANTLR = jar(
  'org.antlr:antlr4-runtime:4.13.1',
  '63eb51bfcee49c52848d8b7c3c46d8b4d367d85fb3c3db7175eaacba94e4d0c227b78e5955a0e86e575e1c6206fc2a43e5fa96fb04ad7c16e24ec94015cfc18b',
);
