// Whether the question being written asks for a report.
import { atom } from 'jotai';
import { personalAtom } from '../../lib/personal-data.ts';

const chosenAtom = personalAtom<readonly string[]>(() => []);

/** The keys of the drafts that do. */
export const researchAtom = atom(
  (get) => get(chosenAtom),
  (get, set, draft: string, isOn: boolean) => {
    const others = get(chosenAtom).filter((key) => key !== draft);
    set(chosenAtom, isOn ? [...others, draft] : others);
  },
);
