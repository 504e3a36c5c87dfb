// Tests of this room: tests/integration/drafts.

// Unsent drafts, text and files, shared by a user's browsers: the later keystroke wins, and lost text that was never
// seen elsewhere is returned to its browser.
import type { Db, Tx } from '@parley/db/client';
import { drafts } from '@parley/db/tables/drafts';
import { isEmptyDraft } from '@parley/schema/chat/draft-content';
import { NEW_CHAT, type Draft, type SaveDraft, type SavedDraft } from '@parley/schema/chat/drafts';
import type { Counts } from '@parley/schema/transfer/results';
import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { presentDraft } from './present.ts';

/** The most drafts per user that are not empty. The oldest is emptied for a new one. */
const DRAFTS_MAX = 200;
/** The same for keys without a conversation: chats begun offline, and made-up keys. */
const HOMELESS_MAX = 20;

type NewDraft = typeof drafts.$inferInsert;

const isFilled = sql`(${drafts.text} <> '' or ${drafts.files} <> '[]')`;

/** The drafts that are not empty. */
export async function listDrafts({ query }: Db, userId: string): Promise<Draft[]> {
  const rows = await query
    .select()
    .from(drafts)
    .where(and(eq(drafts.userId, userId), isFilled));
  return rows.map(presentDraft);
}

export async function saveDraft(db: Db, userId: string, input: SaveDraft): Promise<SavedDraft> {
  // Capped at now: a fast clock would win until time catches up.
  const editedAt = new Date(Math.min(Date.parse(input.editedAt), Date.now())).toISOString();
  const { key, text, files = [] } = input;
  const sent = { key, text, ...(files.length > 0 && { files }), editedAt };
  return db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const stored = await findDraft(tx, userId, input.key);
    if (stored && Date.parse(stored.editedAt) > Date.parse(editedAt))
      return { draft: stored, lost: lostText(stored, sent) };
    if (!stored && isEmptyDraft(sent)) return { draft: { ...sent, seq: 0 }, lost: null };
    const draft: Draft = { ...sent, seq: changeSeq };
    await writeDraft(tx, userId, draft);
    if (!isEmptyDraft(draft)) await evictOldest(tx, userId);
    return { draft, lost: stored && stored.seq !== input.basedOn ? lostText(draft, stored) : null };
  });
}

/** Adds a draft of an export where there is none, or an empty one. `skipped` above the limit. */
export function restoreDraft({ query }: Db, draft: Omit<NewDraft, 'changeSeq'>): Promise<keyof Counts> {
  const { userId, key } = draft;
  return query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const known = await findDraft(tx, userId, key);
    if (known && !isEmptyDraft(known)) return 'present';
    if ((await tx.$count(drafts, and(eq(drafts.userId, userId), isFilled))) >= DRAFTS_MAX) return 'skipped';
    const values = { ...draft, changeSeq };
    await tx
      .insert(drafts)
      .values(values)
      .onConflictDoUpdate({ target: [drafts.userId, drafts.key], set: values });
    return 'imported';
  });
}

/** The text of `other`, which lost to `kept`; null when it is empty or the same. */
function lostText(kept: Pick<Draft, 'text'>, other: Pick<Draft, 'text'>): string | null {
  return other.text === '' || other.text === kept.text ? null : other.text;
}

async function findDraft(tx: Tx, userId: string, key: string): Promise<Draft | null> {
  const [row] = await tx
    .select()
    .from(drafts)
    .where(and(eq(drafts.userId, userId), eq(drafts.key, key)));
  return row ? presentDraft(row) : null;
}

async function writeDraft(tx: Tx, userId: string, { key, text, files = [], editedAt, seq }: Draft): Promise<void> {
  const values = { text, files, editedAt, changeSeq: seq };
  await tx
    .insert(drafts)
    .values({ userId, key, ...values })
    .onConflictDoUpdate({ target: [drafts.userId, drafts.key], set: values });
}

async function evictOldest(tx: Tx, userId: string): Promise<void> {
  const isHomeless = sql`${drafts.key} <> ${NEW_CHAT} and not exists (
    select from convos c where c.user_id = ${drafts.userId} and c.id::text = ${drafts.key})`;
  const surplus = [
    ...(await listSurplus(tx, userId, HOMELESS_MAX, isHomeless)),
    ...(await listSurplus(tx, userId, DRAFTS_MAX)),
  ];
  for (const key of new Set(surplus)) {
    const changeSeq = await nextChange(tx, userId);
    await tx
      .update(drafts)
      .set({ text: '', files: [], editedAt: sql`now()`, changeSeq })
      .where(and(eq(drafts.userId, userId), eq(drafts.key, key)));
  }
}

/** The keys of those that are not empty beyond the newest `max`. */
async function listSurplus(tx: Tx, userId: string, max: number, condition?: SQL): Promise<string[]> {
  const rows = await tx
    .select({ key: drafts.key })
    .from(drafts)
    .where(and(eq(drafts.userId, userId), isFilled, condition))
    .orderBy(desc(drafts.editedAt), desc(drafts.changeSeq))
    .offset(max);
  return rows.map(({ key }) => key);
}
