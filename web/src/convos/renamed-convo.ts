import { personalAtom } from '../lib/personal-data.ts';

/** The id of the conversation whose title is being renamed in the header, whatever asked for it; null for none. */
export const renamedConvoAtom = personalAtom<string | null>(() => null);
