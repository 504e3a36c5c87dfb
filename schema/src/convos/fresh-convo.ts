/** The fields of a new conversation. */
export const FRESH_CONVO = {
  title: null,
  running: null,
  isPinned: false,
  isArchived: false,
  isUnread: false,
  folderId: null,
  forkedFrom: null,
  messagesSeq: 0,
} as const;
