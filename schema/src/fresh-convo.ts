/** What a conversation is before anything was done with it. */
export const FRESH_CONVO = {
  title: null,
  running: null,
  isPinned: false,
  isArchived: false,
  forkedFrom: null,
  messagesSeq: 0,
} as const;
