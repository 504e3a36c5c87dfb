import type { convos } from '@parley/db/tables/convos';
import type { Convo } from '@parley/schema/convos/convos';
import { isoTime } from '../platform/iso-time.ts';

export type ConvoRow = typeof convos.$inferSelect;

export function presentConvo(row: ConvoRow): Convo {
  return {
    conversationId: row.id,
    title: row.title,
    endpoint: row.endpoint,
    endpointType: row.endpointType,
    model: row.model,
    settings: row.settings,
    ...(row.threadIds && { threadIds: row.threadIds }),
    running: row.running,
    ...(row.runsLeft > 0 && { runsLeft: row.runsLeft }),
    ...(row.columns && { columns: row.columns }),
    isPinned: row.isPinned,
    ...(row.pinPosition !== null && { pinPosition: row.pinPosition }),
    isArchived: row.isArchived,
    isUnread: row.isUnread,
    folderId: row.folderId,
    ...(row.temporaryUntil !== null && { temporaryUntil: isoTime(row.temporaryUntil) }),
    forkedFrom: row.forkedFrom,
    messagesSeq: row.messagesSeq,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}
