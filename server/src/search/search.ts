// Searches a user's conversations: titles, and messages on all branches; archived ones, too, but not deleted ones.
import type { Reader } from '@parley/db/standby';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import type { Convo } from '@parley/schema/convos/convos';
import type { Message } from '@parley/schema/messages/messages';
import { readableText } from '@parley/schema/messages/readable-text';
import {
  HITS_PER_GROUP,
  type SearchConvos,
  type SearchGroup,
  type SearchHit,
  type SearchNumberedPage,
  type SearchPage,
  type TextPart,
} from '@parley/schema/search/search';
import { and, eq, sql } from 'drizzle-orm';
import { presentConvo } from '../convos/present.ts';
import { presentMessage } from '../messages/present.ts';
import { isoTime } from '../platform/iso-time.ts';
import { findConvos, type Found, type HitPosition } from './find.ts';
import { lookUp, type SearchSnapshot } from './lookup.ts';
import { highlightHits, hitSnippet } from './highlight.ts';
import { parseQuery, type Query } from './query.ts';
import { refuse } from '../platform/errors.ts';

/** Best matches first, grouped by conversation. @throws Refusal `invalid_input` for an invalid cursor */
export async function searchConvos(
  reader: Reader,
  userId: string,
  { query: text, cursor, limit }: SearchConvos,
): Promise<SearchPage> {
  const from = cursor ? parseCursor(cursor) : null;
  const query = parseQuery(text);
  const known = query.terms.length > 0 ? await lookUp(reader, userId, query) : null;
  if (!known) return { groups: [], nextCursor: null };
  const upTo = from?.upTo ?? known.upTo;
  const cut = { after: from?.after ?? null, limit: limit + 1, order: 'best', hits: HITS_PER_GROUP } as const;
  const { found } = await findConvos(reader, userId, known, upTo, cut);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    groups: await presentGroups(reader, userId, page, query),
    nextCursor: last && found.length > limit ? searchCursor(last.position, upTo) : null,
  };
}

async function presentGroups(reader: Reader, userId: string, page: Found[], query: Query): Promise<SearchGroup[]> {
  const ids = page.flatMap(({ messageIds }) => messageIds);
  const [listed, hits] = await Promise.all([readConvos(reader, userId, page), readHits(reader, userId, ids, query)]);
  return page.flatMap(({ convoId, messageIds, messageCount }) => {
    const convo = listed.get(convoId);
    // Deleted since the search.
    if (!convo) return [];
    return {
      convo,
      titleParts: convo.title === null ? [] : highlightHits(convo.title, query),
      hits: messageIds.flatMap((id) => hits.get(id) ?? []),
      more: messageCount - messageIds.length,
    };
  });
}

async function readConvos({ query }: Reader, userId: string, page: Found[]): Promise<Map<string, Convo>> {
  const ids = sql.param(page.map(({ convoId }) => convoId));
  const rows = await query
    .select()
    .from(convos)
    .where(and(eq(convos.userId, userId), sql`${convos.id} = any(${ids}::uuid[])`));
  return new Map(rows.map((row) => [row.id, presentConvo(row)]));
}

/** Maximum characters read per message; of longer text the part from just before the first match. */
const WHOLE_MAX = 20_000;

interface HitRow extends Record<string, unknown> {
  id: string;
  is_created_by_user: boolean;
  created_at: string;
  text: string;
}

async function readHits(reader: Reader, userId: string, ids: string[], query: Query): Promise<Map<string, SearchHit>> {
  const literals = [query.phrase, ...query.terms.map(({ literal }) => literal)].filter((literal) => literal !== null);
  const rows = await reader.query.execute<HitRow>(sql`
    select id, is_created_by_user, created_at, case when length(text) <= ${WHOLE_MAX} then text
      else substr(text, greatest(1, coalesce(first, 1) - ${LEEWAY_CHARS}), ${WHOLE_MAX}) end as text
    from (
      select m.id, m.is_created_by_user, m.created_at, search_text(m.parts) as text, (
        select position(literal in e.body) from unnest(${sql.param(literals)}::text[]) with ordinality as l (literal, n)
        where position(literal in e.body) > 0 order by n limit 1
      ) as first
      from messages m join search_entries e on e.user_id = m.user_id and not e.is_title and e.id = m.id
      where m.user_id = ${userId}::uuid and m.id = any(${sql.param(ids)}::uuid[])
    ) as hit`);
  return new Map(rows.map((row) => [row.id, presentHit(row, query)]));
}

/** Folded text may be slightly longer than the text. */
const LEEWAY_CHARS = 200;

function presentHit({ id, is_created_by_user, created_at, text }: HitRow, query: Query): SearchHit {
  return {
    messageId: id,
    isCreatedByUser: is_created_by_user,
    createdAt: isoTime(created_at),
    // Between what was said and what tools said.
    snippet: hitSnippet(text.replace('\u001e', ' '), query),
  };
}

/** A page by number, with whole messages, for REST clients. */
export interface NumberedPage {
  convos: Convo[];
  messages: FoundMessage[];
  /** Number of pages, as far as known. */
  pages: number;
}

export interface FoundMessage {
  message: Message;
  /** Its whole text with matches marked. */
  textParts: TextPart[];
  convo: Convo;
}

const PAGE_SIZE = 25;
/** Maximum messages per conversation. */
const MESSAGES_MAX = 100;

/** Conversations with the most matches first. */
export async function searchByNumber(
  reader: Reader,
  userId: string,
  { query: text, pageNumber }: SearchNumberedPage,
): Promise<NumberedPage & { pageSize: number }> {
  const query = parseQuery(text);
  const known = query.terms.length > 0 ? await lookUp(reader, userId, query) : null;
  if (!known) return { convos: [], messages: [], pages: 1, pageSize: PAGE_SIZE };
  const offset = (pageNumber - 1) * PAGE_SIZE;
  const cut = { offset, limit: PAGE_SIZE, order: 'most', hits: MESSAGES_MAX } as const;
  const { found, total, isMore } = await findConvos(reader, userId, known, known.upTo, cut);
  const listed = await readConvos(reader, userId, found);
  const rows = await readMessages(
    reader,
    userId,
    found.flatMap(({ messageIds }) => messageIds),
  );
  const shown = rows.flatMap((message) => {
    const convo = listed.get(message.conversationId);
    return convo ? { message, convo, textParts: highlightHits(readableText(message), query) } : [];
  });
  return {
    convos: found.flatMap(({ convoId }) => listed.get(convoId) ?? []),
    messages: shown,
    // Adds one conversation when the scan was incomplete.
    pages: Math.max(1, Math.ceil((total + (isMore ? 1 : 0)) / PAGE_SIZE)),
    pageSize: PAGE_SIZE,
  };
}

/** In the order of `ids`. */
async function readMessages({ query }: Reader, userId: string, ids: string[]): Promise<Message[]> {
  const rows = await query
    .select()
    .from(messages)
    .where(and(eq(messages.userId, userId), sql`${messages.id} = any(${sql.param(ids)}::uuid[])`));
  const byId = new Map(rows.map((row) => [row.id, presentMessage(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The position after which a page begins, and the extent of the data at the first page. */
interface Cursor {
  after: HitPosition;
  upTo: SearchSnapshot;
}

const CURSOR = /^(\d)((?:\.-?\d{1,19}){6})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,15})\.(\d{1,15})$/;

function searchCursor({ rank, newest, page, convoId }: HitPosition, { message, title }: SearchSnapshot): string {
  return [rank, ...newest, ...page.below, ...page.end, convoId, message, title].join('.');
}

/** @throws Refusal `invalid_input` */
function parseCursor(text: string): Cursor {
  const [, rank, moments = '', convoId, message, title] = CURSOR.exec(text) ?? [];
  const [at = '', seq = '', belowAt = '', belowSeq = '', endAt = '', endSeq = '', ...rest] = moments
    .slice(1)
    .split('.');
  if (!convoId || rest.length > 0 || ![at, seq, belowAt, belowSeq, endAt, endSeq].every(isBigint))
    return refuse({ type: 'invalid_input', text: 'The cursor is not one of ours' });
  const range = { below: [belowAt, belowSeq], end: [endAt, endSeq] } as const;
  return {
    after: { page: range, rank: Number(rank), newest: [at, seq], convoId },
    upTo: { message: Number(message), title: Number(title) },
  };
}

/** Whether it fits a bigint. */
function isBigint(digits: string): boolean {
  const value = BigInt(digits);
  return BigInt.asIntN(64, value) === value;
}
