// What folders may be, without the schema library, which browsers do not load.

/** Names of the theme's colours. */
export const FOLDER_COLORS = ['red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'] as const;
export type FolderColor = (typeof FOLDER_COLORS)[number];

export const FOLDER_NAME_MAX = 100;
/** The most files of a folder. */
export const FOLDER_FILES_MAX = 100;
/** The most sets of a folder. */
export const FOLDER_SETS_MAX = 20;
export const FOLDER_INSTRUCTIONS_MAX = 20_000;
