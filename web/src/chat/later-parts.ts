// What a chat loads once one can type in it.
export { AttachmentChips } from './attachments/attachment-chips.tsx';
export { WaitingIcon } from './attachments/waiting-icon.tsx';
export { ClosedNotice } from './composer/closed-notice.tsx';
export { ComposerButtons } from './composer/composer-buttons.tsx';
export { ComposerChips } from './composer/chips/composer-chips.tsx';
export { ComposerPrompts } from './composer/composer-prompts.tsx';
export { BudgetBar } from './context/budget-bar.tsx';
export { draftApi } from './drafts/draft-api.ts';
export { syncDrafts } from './drafts/sync-drafts.ts';
export { AboutModel } from './landing/about-model.tsx';
export { BirthdayCake } from './landing/birthday-cake.tsx';
export { DemoNote } from './landing/demo-note.tsx';
export { GlideToEnd } from './landing/glide-to-end.tsx';
export { QueuePanel } from './queue/queue-panel.tsx';
