// How long temporary conversations are kept, without the schema library, which browsers do not load.

/** At most, where they begin here. */
export const TEMPORARY_HOURS = 24;

/** Where no page shows them: a reload and a step back find them again. */
export const LEFT_SECONDS = 120;
