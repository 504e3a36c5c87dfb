/** The shortest value that the form of a plugin accepts, in characters; its sentence says the number. */
export const PLUGIN_VALUE_MIN = 10;
