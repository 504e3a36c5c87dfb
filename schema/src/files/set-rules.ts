// What sets of files may be, without the schema library, which browsers do not load.

export const SET_NAME_MAX = 100;
/** The most files of a set. */
export const SET_FILES_MAX = 100;
