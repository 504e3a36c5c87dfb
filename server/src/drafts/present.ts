import type { drafts } from '@parley/db/tables/drafts';
import type { Draft } from '@parley/schema/drafts';
import { isoOf } from '../messages/present.ts';

export function presentDraft({ key, text, editedAt, changeSeq }: typeof drafts.$inferSelect): Draft {
  return { key, text, editedAt: isoOf(editedAt), seq: changeSeq };
}
