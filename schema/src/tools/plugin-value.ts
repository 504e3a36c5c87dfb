/** The shortest value that the form of a plugin accepts, in characters. */
export const PLUGIN_VALUE_MIN = 10;
