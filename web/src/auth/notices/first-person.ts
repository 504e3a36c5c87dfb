import { getDefaultStore } from 'jotai/vanilla';
import { personalAtom } from '../../lib/personal-data.ts';

/** Whether this person has just made the first account of the server, which administers it. */
export const isFirstPersonAtom = personalAtom(() => false);

/** The empty chat says so. */
export function showFirstPerson(): void {
  getDefaultStore().set(isFirstPersonAtom, true);
}
