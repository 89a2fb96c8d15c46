/** How the command is called: from a checkout, or installed as a package without one. */

/** Set where it is bundled (scripts/build.mjs); tests have neither. */
declare const DYNO_IS_PACKAGE: boolean | undefined;

export const isPackage = typeof DYNO_IS_PACKAGE === 'boolean' && DYNO_IS_PACKAGE;

/** Before the name of a command, where one is named to be typed. */
export const COMMAND = isPackage ? 'dyno' : 'npm run dyno --';
