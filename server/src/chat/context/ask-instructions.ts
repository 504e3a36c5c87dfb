// The instructions of a reply: those of the account, of the folder, of the assistant and of the chat.
import type { Db, Query } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { users } from '@parley/db/tables/users';
import type { AskInput } from '@parley/schema/chat/ask';
import type { Settings } from '@parley/schema/catalog/params';
import type { Convo } from '@parley/schema/convos/convos';
import type { ContextRecord, FilePart, Message } from '@parley/schema/messages/messages';
import { and, eq } from 'drizzle-orm';
import {
  cutInstructions,
  personalInstructions,
  withInstructions,
  type Instructions,
} from '../../assistants/instructions.ts';
import { countTokens } from '../../catalog/count-tokens.ts';
import { withFiles } from '../../assistants/chosen-tools.ts';
import { ASKER, type Asker } from '../../convos/changes.ts';
import { readFolderContext } from '../../folders/folder-files.ts';
import type { Ask } from '../begin/ask.ts';
import type { LentFiles } from './files/file-reading.ts';
import { assertFits, type Fitting, type Plan } from './history.ts';

export interface AskInstructions {
  /** What the person wrote for more than this chat: its texts are sent with the question. */
  texts: readonly string[];
  /** Those of the folder, as if attached to the question. */
  files: readonly FilePart[];
  /** Whose the folder is where it is another person's, with the same files; else nothing. */
  lent: readonly LentFiles[];
  /** The name of the folder where another person has written its instructions. */
  sharedFolder: string | null;
  personal: ReturnType<typeof personalInstructions>;
  /** Gives the settings of the call, with these in place of the personal ones. */
  settings(personal: AskInstructions['personal']): Settings;
}

type Asked = Pick<Ask, 'userId' | 'endpoint' | 'assistant'>;

export async function findInstructions(
  db: Pick<Db, 'query'>,
  { userId, endpoint, assistant }: Asked,
  { folderId, settings, temporaryUntil }: Pick<Convo, 'folderId' | 'settings' | 'temporaryUntil'>,
  { personal: kept }: Asker,
): Promise<AskInstructions> {
  const { ofFolder, ...folder } = await readFolder(db.query, userId, folderId);
  const endpoints = assistant ? [endpoint.name, assistant.answeredBy] : [endpoint.name];
  const asked = { endpoints, isTemporary: temporaryUntil !== undefined, settings };
  // What others have written gets them only where its owner may know who asks; owners of folders may not.
  const isKnown = assistant?.knowsAsker !== false && folder.lent.length === 0;
  const personal = isKnown ? personalInstructions(kept, asked) : [];
  const isAssistant = assistant !== null;
  const texts = [...personal, ...ofFolder].map((one) => one.text);
  return {
    ...folder,
    texts,
    personal,
    settings: (those) => withInstructions(settings, [...those, ...ofFolder], isAssistant),
  };
}

type OfFolder = Pick<AskInstructions, 'files' | 'lent' | 'sharedFolder'> & { ofFolder: readonly Instructions[] };

const NO_FOLDER: OfFolder = { files: [], lent: [], sharedFolder: null, ofFolder: [] };

async function readFolder(query: Query, userId: string, folderId: string | null): Promise<OfFolder> {
  if (folderId === null) return NO_FOLDER;
  const { instructions: text, files, lender, foreignName } = await readFolderContext(query, userId, folderId);
  return {
    files,
    lent: lender ? [{ ...lender, fileIds: new Set(files.map(({ fileId }) => fileId)) }] : [],
    sharedFolder: foreignName,
    ofFolder: text.trim() === '' ? [] : [{ heading: 'Instructions of the folder', text }],
  };
}

/** Those of an ask that has not begun, and what they were found by. */
interface ForeseenInstructions extends AskInstructions {
  convo: Pick<Convo, 'conversationId' | 'folderId' | 'settings' | 'temporaryUntil'>;
  asker: Asker;
}

/** Finds those of an ask that has not begun yet: the statement that begins it reads them again for its run. */
export async function foreseeInstructions(
  { query }: Pick<Db, 'query'>,
  asked: Asked & { settings: Settings },
  { conversationId, folderId, isTemporary = false }: Pick<AskInput, 'conversationId' | 'folderId' | 'isTemporary'>,
): Promise<ForeseenInstructions> {
  const [row] = await query
    .select({ asker: ASKER, convoId: convos.id, folderId: convos.folderId, until: convos.temporaryUntil })
    .from(users)
    .leftJoin(convos, and(eq(convos.userId, users.id), eq(convos.id, conversationId)))
    .where(eq(users.id, asked.userId));
  const isNew = !row?.convoId;
  const convo = {
    conversationId,
    folderId: isNew ? (isTemporary ? null : (folderId ?? null)) : row.folderId,
    settings: asked.settings,
    ...((isNew ? isTemporary : row.until !== null) && { temporaryUntil: '' }),
  };
  const asker = row?.asker ?? {};
  return { ...(await findInstructions({ query }, asked, convo, asker)), convo, asker };
}

/** The question with the files of its folder. A reply that is continued stays as it is. */
export function withFolderFiles<Last extends Pick<Message, 'parts' | 'isCreatedByUser'>>(
  last: Last,
  { files }: Pick<AskInstructions, 'files'>,
): Last {
  return files.length > 0 && last.isCreatedByUser ? withFiles(last, files) : last;
}

/** Tokens: less of the personal instructions would say nothing. */
const WORTH_SENDING = 50;

interface FittedPlan {
  plan: Fitting;
  settings: Settings;
  /** Says how much of the personal instructions is sent; nothing where there are none. */
  beside: Pick<ContextRecord, 'personal'>;
}

/**
 * Plans the history, and cuts the personal instructions where the question does not fit beside them.
 * @throws Refusal `context_too_long` when it does not fit without them either
 */
export async function planWithInstructions(
  { personal, settings }: AskInstructions,
  { window, reserve }: { window: number; reserve: number },
  planWith: (settings: Settings) => Promise<Plan>,
): Promise<FittedPlan> {
  const whole = settings(personal);
  const plan = await planWith(whole);
  if (plan.fits || personal.length === 0) {
    const record = personal.length > 0 ? { personal: 'whole' as const } : {};
    return { plan: assertFits(plan, window), settings: whole, beside: record };
  }
  const text = personal.map((one) => one.text).join('');
  const tokens = await countTokens(text);
  const room = tokens - (plan.required - (window - reserve));
  // Some characters take more tokens than others.
  const length = Math.floor((text.length * room * 0.9) / Math.max(tokens, 1));
  const cut = room >= WORTH_SENDING ? settings(cutInstructions(personal, length)) : null;
  const cutPlan = cut && (await planWith(cut));
  if (cut && cutPlan?.fits) return { plan: cutPlan, settings: cut, beside: { personal: 'cut' } };
  const without = settings([]);
  return { plan: assertFits(await planWith(without), window), settings: without, beside: { personal: 'none' } };
}
