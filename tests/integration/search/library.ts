// Conversations for the tests of the search, written as the server writes them, and what a search of them found.
import { randomUUID } from 'node:crypto';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import type { SearchGroup, TextPart } from '@parley/schema/search/search';
import { nextChange } from '@parley/server/convos/changes';
import type { Person, TestServices } from '../../support/services.ts';

const ENDPOINT = { endpoint: 'openAI', endpointType: 'openAI' as const };

export interface Written {
  conversationId: string;
  messageIds: string[];
}

/** A conversation with a title and messages, each an answer to the one before; `at` is when all of it was written. */
export async function write(
  services: TestServices,
  person: Person,
  { title = null, texts = [], at }: { title?: string | null; texts?: string[]; at?: string },
): Promise<Written> {
  const id = randomUUID();
  const fields = { userId: person.id, convoId: id, sender: 'User', ...ENDPOINT, createdAt: at };
  const messageIds = texts.map(() => randomUUID());
  await services.deps.db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, person.id);
    await tx.insert(convos).values({ userId: person.id, id, title, ...ENDPOINT, changeSeq, createdAt: at });
    for (const [depth, text] of texts.entries())
      await tx.insert(messages).values({
        ...fields,
        id: messageIds[depth] ?? '',
        parentId: messageIds[depth - 1] ?? null,
        depth,
        isCreatedByUser: depth % 2 === 0,
        parts: [{ type: 'text', text }],
      });
  });
  return { conversationId: id, messageIds };
}

/** The conversations that were found, in their order. */
export async function find(person: Person, query: string): Promise<string[]> {
  return (await groupsFor(person, query)).map(({ convo }) => convo.conversationId);
}

export async function groupsFor(person: Person, query: string): Promise<SearchGroup[]> {
  return (await person.api.convos.search({ query, limit: 100 })).groups;
}

/** The parts as one string, hits between brackets. */
export function bracketed(parts: readonly TextPart[]): string {
  return parts.map(({ text, isHit }) => (isHit ? `[${text}]` : text)).join('');
}
