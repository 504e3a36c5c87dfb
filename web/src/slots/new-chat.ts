import type { NEW_CHAT as SharedKey } from '@parley/schema/chat/drafts';

/** The draft key of every chat without a first message. */
export const NEW_CHAT = 'new' satisfies typeof SharedKey;
