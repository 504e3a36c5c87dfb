// All that the message box loads after the first screen to take files: one chunk.
export { AttachButton } from './attach-button.tsx';
export { AttachmentChips } from './attachment-chips.tsx';
