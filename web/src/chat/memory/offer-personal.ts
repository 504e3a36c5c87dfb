// Tells new accounts once, below their third answer, that every chat can know more about them.
import type { Message } from '@parley/schema/messages/messages';
import { personalAtom } from '../../account-settings.ts';
import { personalAtom as ownAtom } from '../../lib/personal-data.ts';
import type { Store } from '../../lib/jotai-store.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { session } from '../../session/current-session.ts';
import { readSetting, writeSetting } from '../../stored-settings.ts';

const ANSWERS = 3;
const NEW_FOR_MS = 30 * 24 * 60 * 60 * 1000;
const COUNT_KEY = 'firstAnswers';

/** The id of the reply below which the offer stands, until the next one; null for none. */
export const personalOfferAtom = ownAtom<string | null>(() => null);

/** Counts an answer that has ended. */
export function countAnswer(store: Store, reply: Pick<Message, 'messageId' | 'reason'>): void {
  store.set(personalOfferAtom, null);
  if (reply.reason || readSetting('isPersonalOffered') || !isNew(store)) return;
  const count = 1 + readStored(COUNT_KEY, 0, (stored) => (typeof stored === 'number' ? stored : undefined));
  writeStored(COUNT_KEY, count);
  if (count < ANSWERS) return;
  writeSetting('isPersonalOffered', true);
  if (store.get(personalAtom) === null) store.set(personalOfferAtom, reply.messageId);
}

function isNew(store: Store): boolean {
  const { user } = store.get(session.state);
  return user !== null && Date.now() - Date.parse(user.createdAt) < NEW_FOR_MS;
}
