// What is typed and not sent, shared by a user's browsers: the later keystroke wins, and what lost unseen is offered back.
import type { Db, Tx } from '@parley/db/client';
import { drafts } from '@parley/db/tables/drafts';
import type { Draft, SaveDraft, SavedDraft } from '@parley/schema/drafts';
import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { presentDraft } from './present.ts';

/** Drafts with text that a user may have. The oldest is emptied for a new one, so that nothing grows for ever. */
const DRAFTS_MAX = 200;

/** The drafts with text. */
export async function listDrafts({ query }: Db, userId: string): Promise<Draft[]> {
  const rows = await query
    .select()
    .from(drafts)
    .where(and(eq(drafts.userId, userId), ne(drafts.text, '')));
  return rows.map(presentDraft);
}

export async function saveDraft(db: Db, userId: string, input: SaveDraft): Promise<SavedDraft> {
  // A clock that is ahead would win for as long as it is.
  const editedAt = new Date(Math.min(Date.parse(input.editedAt), Date.now())).toISOString();
  const sent = { key: input.key, text: input.text, editedAt };
  return db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const stored = await findDraft(tx, userId, input.key);
    if (stored && Date.parse(stored.editedAt) > Date.parse(editedAt))
      return { draft: stored, lost: lostTo(stored, sent) };
    if (!stored && sent.text === '') return { draft: { ...sent, seq: 0 }, lost: null };
    const draft: Draft = { ...sent, seq: changeSeq };
    await writeDraft(tx, userId, draft);
    if (draft.text !== '') await emptyOldest(tx, userId);
    return { draft, lost: stored && stored.seq !== input.basedOn ? lostTo(draft, stored) : null };
  });
}

/** The text that another one took the place of, when it was one and is not the same. */
function lostTo(kept: Pick<Draft, 'text'>, other: Pick<Draft, 'text'>): string | null {
  return other.text === '' || other.text === kept.text ? null : other.text;
}

async function findDraft(tx: Tx, userId: string, key: string): Promise<Draft | null> {
  const [row] = await tx
    .select()
    .from(drafts)
    .where(and(eq(drafts.userId, userId), eq(drafts.key, key)));
  return row ? presentDraft(row) : null;
}

async function writeDraft(tx: Tx, userId: string, { key, text, editedAt, seq }: Draft): Promise<void> {
  const values = { text, editedAt, changeSeq: seq };
  await tx
    .insert(drafts)
    .values({ userId, key, ...values })
    .onConflictDoUpdate({ target: [drafts.userId, drafts.key], set: values });
}

async function emptyOldest(tx: Tx, userId: string): Promise<void> {
  const surplus = await tx
    .select({ key: drafts.key })
    .from(drafts)
    .where(and(eq(drafts.userId, userId), ne(drafts.text, '')))
    .orderBy(desc(drafts.editedAt), desc(drafts.changeSeq))
    .offset(DRAFTS_MAX);
  for (const { key } of surplus) {
    const changeSeq = await nextChange(tx, userId);
    await tx
      .update(drafts)
      .set({ text: '', editedAt: sql`now()`, changeSeq })
      .where(and(eq(drafts.userId, userId), eq(drafts.key, key)));
  }
}
