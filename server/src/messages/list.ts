import type { Message } from '@parley/schema/messages/messages';
import { readConvo } from '../convos/convos.ts';
import type { Deps } from '../deps.ts';
import { presentMessage } from './present.ts';
import { foldAll, readEntries } from './stored-log.ts';
import { listThread } from './thread.ts';

/** All messages of a conversation, oldest first; one that is being written has the text of its log so far. */
export async function listMessages({ db }: Deps, userId: string, convoId: string): Promise<Message[]> {
  const convo = await readConvo(db, userId, convoId);
  const thread = (await listThread(db.query, userId, convoId)).map(presentMessage);
  if (convo.running === null) return thread;
  const entries = await readEntries(db, convo.running, 0);
  return thread.map((message) => (message.generationId === convo.running ? foldAll(message, entries) : message));
}
