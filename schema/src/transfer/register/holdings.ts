// What an export holds and what it leaves out, as people call it. Each word is in the register at least once.

/** In the order in which the page lists them. */
export const HELD = [
  'chats',
  'folders',
  'drafts',
  'queue',
  'files',
  'assistants',
  'presets',
  'prompts',
  'settings',
] as const;
export type Held = (typeof HELD)[number];

/** Each has a sentence on the page that gives the reason. */
export const KEPT = ['secrets', 'sharing', 'trash', 'tools', 'usage'] as const;
export type Kept = (typeof KEPT)[number];
