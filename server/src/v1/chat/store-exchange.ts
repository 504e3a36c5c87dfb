// `store: true`: an exchange of a program is kept as a conversation of its person, in a folder of its own.
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { folders } from '@parley/db/tables/folders';
import { messages } from '@parley/db/tables/messages';
import { replySender } from '@parley/schema/catalog/sender';
import type { Settings } from '@parley/schema/catalog/params';
import { cleanText } from '@parley/schema/clean-text';
import { FOLDERS_MAX } from '@parley/schema/convos/folders';
import type { Usage } from '@parley/schema/catalog/usage';
import { parseSettings } from '@parley/schema/settings/settings';
import { and, asc, eq } from 'drizzle-orm';
import { ZodError } from 'zod';
import { nextChange, nextHint } from '../../convos/changes.ts';
import type { Delta } from '../../generation/delta.ts';
import type { ChosenModel } from '../models.ts';
import type { RequestMessage } from './chat-request.ts';
import { createPieceReader } from './chunks.ts';
import { providerMessages } from './provider-messages.ts';

const FOLDER = 'API';
/** A statement has at most 65,535 parameters. */
const ROWS_AT_ONCE = 1000;

export interface Exchange {
  /** That of the call, which is its own conversation and its own reply. */
  id: string;
  userId: string;
  chosen: ChosenModel;
  asked: readonly RequestMessage[];
}

interface Reply {
  text: string;
  isWhole: boolean;
  usage: Usage;
}

/** Passes the deltas on, and stores the exchange once they have ended. What has no text is not kept. */
export async function* storing(
  deltas: AsyncIterable<Delta>,
  store: (reply: Omit<Reply, 'usage'>) => Promise<void>,
): AsyncGenerator<Delta> {
  const reader = createPieceReader();
  let text = '';
  let isWhole = false;
  try {
    for await (const delta of deltas) {
      text += reader.read(delta)?.content ?? '';
      yield delta;
    }
    isWhole = true;
  } finally {
    if (text.trim() !== '') await store({ text, isWhole });
  }
}

/** How many messages an exchange is stored as. */
export function storedCount({ asked }: Pick<Exchange, 'asked'>): number {
  return turnsOf(asked).length + 1;
}

export async function storeExchange({ query }: Db, exchange: Exchange, reply: Reply): Promise<void> {
  const { id, userId, chosen } = exchange;
  const { endpoint, model } = chosen;
  const settings = settingsOf(exchange);
  const at = { endpoint: endpoint.name, endpointType: endpoint.type, model };
  await query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const folderId = await folderFor(tx, userId);
    await tx
      .insert(convos)
      .values({ userId, id, ...at, settings, folderId, changeSeq, messagesSeq: changeSeq, origin: 'import' });
    const rows = rowsOf(exchange, reply, replySender({ ...at, settings }));
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await tx.insert(messages).values(rows.slice(from, from + ROWS_AT_ONCE));
  });
}

/** With the texts of the system as the instructions of the conversation, where they are no longer than these may be. */
function settingsOf({ chosen: { endpoint, model, settings }, asked }: Exchange): Settings {
  const { system } = providerMessages(asked);
  try {
    const told = system !== '' && { promptPrefix: cleanText(system) };
    return parseSettings(endpoint.type, { ...settings, ...told }, model);
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    return parseSettings(endpoint.type, settings, model);
  }
}

type NewMessage = typeof messages.$inferInsert;

/** One below the other; what a program sends as the model's words is of this model. */
function rowsOf({ id, userId, chosen, asked }: Exchange, reply: Reply, sender: string): NewMessage[] {
  const { endpoint, model } = chosen;
  const at = { endpoint: endpoint.name, endpointType: endpoint.type, model };
  let parentId: string | null = null;
  const rows: NewMessage[] = [];
  for (const [depth, { text, isCreatedByUser }] of turnsOf(asked).entries()) {
    const row: NewMessage = {
      ...at,
      userId,
      convoId: id,
      id: randomUUID(),
      parentId,
      depth,
      isCreatedByUser,
      sender: isCreatedByUser ? 'User' : sender,
      parts: [{ type: 'text', text }],
      finishReason: isCreatedByUser ? null : 'stop',
    };
    rows.push(row);
    parentId = row.id;
  }
  const { text, isWhole, usage } = reply;
  const last: NewMessage = {
    ...at,
    userId,
    convoId: id,
    id,
    parentId,
    depth: rows.length,
    isCreatedByUser: false,
    sender,
    parts: [{ type: 'text', text: cleanText(text) }],
    finishReason: isWhole ? 'stop' : 'incomplete',
    usage,
  };
  return [...rows, last];
}

/** Calls of tools and their results are the program's, and no messages of anybody. */
function turnsOf(asked: readonly RequestMessage[]): { text: string; isCreatedByUser: boolean }[] {
  return providerMessages(asked).messages.flatMap(({ role, content, images = [], files = [] }) => {
    const pictures = [...images.map(() => '[image]'), ...files.map(({ name }) => `[${name}]`)].join(' ');
    const text = cleanText([content, pictures].filter((one) => one.trim() !== '').join('\n\n'));
    return text === '' ? [] : [{ text, isCreatedByUser: role === 'user' }];
  });
}

/** Made when it is first needed; null where the person has as many folders as anybody may. */
async function folderFor(tx: Tx, userId: string): Promise<string | null> {
  const named = and(eq(folders.userId, userId), eq(folders.name, FOLDER));
  const [known] = await tx.select({ id: folders.id }).from(folders).where(named).orderBy(asc(folders.id)).limit(1);
  if (known) return known.id;
  if ((await tx.$count(folders, eq(folders.userId, userId))) >= FOLDERS_MAX) return null;
  await nextHint(tx, userId, 'folders');
  const [made] = await tx
    .insert(folders)
    .values({ userId, id: randomUUID(), name: FOLDER })
    .returning({ id: folders.id });
  return made?.id ?? null;
}
