import { withDeadline } from '../deadline.ts';
import type { Deps } from '../deps.ts';
import { refuse } from '../errors.ts';
import { readConvo } from './convos.ts';

/** How long a client that asks for a title is kept waiting (C.4 of the REST facts). */
const PATIENCE_MS = 2500;

/** The title of a conversation, waiting a little for one that is on its way. */
export async function waitForTitle(
  { db, notices }: Deps,
  userId: string,
  conversationId: string,
  signal?: AbortSignal,
): Promise<{ title: string }> {
  const ended = withDeadline(PATIENCE_MS, signal);
  const bell = notices.bell(`change:${userId}`);
  try {
    for (;;) {
      const { title } = await readConvo(db, userId, conversationId);
      if (title !== null) return { title };
      if (ended.aborted) return refuse({ type: 'not_found', what: 'convo' });
      await bell.next(ended);
    }
  } finally {
    bell.end();
  }
}
