import type { drafts } from '@parley/db/tables/drafts';
import type { Draft } from '@parley/schema/chat/drafts';
import { isoTime } from '../platform/iso-time.ts';

export function presentDraft({ key, text, files, editedAt, changeSeq }: typeof drafts.$inferSelect): Draft {
  return { key, text, ...(files.length > 0 && { files }), editedAt: isoTime(editedAt), seq: changeSeq };
}
