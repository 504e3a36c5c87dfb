import type { Db } from '@parley/db/client';
import type { Message } from '@parley/schema/messages/messages';
import { readConvo } from '../convos/convos.ts';
import { createSlices } from '../platform/event-loop.ts';
import { presentMessage } from './present.ts';
import { withWritten } from './stored-log.ts';
import { listThread } from './thread.ts';

/** Messages per slice: a few milliseconds of work. */
const MESSAGES_AT_ONCE = 500;

/** Lists all messages of a conversation, oldest first; one that is being written has the text of its log so far. */
export async function listMessages({ db }: { db: Db }, userId: string, convoId: string): Promise<Message[]> {
  const convo = await readConvo(db, userId, convoId);
  const slices = createSlices(MESSAGES_AT_ONCE);
  const thread: Message[] = [];
  for (const row of await listThread(db.query, userId, convoId)) {
    thread.push(presentMessage(row));
    await slices.spend();
  }
  return convo.running === null ? thread : withWritten(db, convo.running, thread);
}
