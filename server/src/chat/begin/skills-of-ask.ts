import type { SQL } from 'drizzle-orm';
import { usableRows } from '../../skills/usable-skills.ts';
import type { Ask } from './ask.ts';

/** The rows of the skills that are on, for the statement that writes the ask; null where none is. */
export function skillsOfAsk({ userId, input, settings, assistant }: Ask): SQL | null {
  const chosen = Array.isArray(settings.tools) ? settings.tools.filter((key) => typeof key === 'string') : [];
  return usableRows({
    userId,
    convoId: input.conversationId,
    folderId: input.folderId ?? null,
    keys: [...chosen, ...(assistant?.keys ?? [])],
    lender: assistant?.lender,
  });
}
