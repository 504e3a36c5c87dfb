// Tests of this room: tests/unit/web/chat.
import { atom } from 'jotai';

/** Whether a person picks a further model to compare with. The list of models opens it, the message box has it. */
export const comparePickAtom = atom(false);
