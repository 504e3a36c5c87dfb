// What has finished in the chats on screen, for those who do not see it.
import type { Message } from '@parley/schema/messages/messages';
import { personalAtom } from '../lib/personal-data.ts';

/** The last finished reply. */
export const finishedReplyAtom = personalAtom<Message | null>(() => null);

/** The last step of a reply that ended, in a sentence. */
export const finishedStepAtom = personalAtom<{ key: string; sentence: string } | null>(() => null);
