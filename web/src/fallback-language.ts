export const FALLBACK_LANGUAGE = 'en-US';

export type Translations = Record<string, string>;
