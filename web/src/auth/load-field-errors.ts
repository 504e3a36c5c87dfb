/** The rules of the forms, and with them the schema library, for a person who types. */
export const loadFieldErrors = () => import('./field-errors.ts');
