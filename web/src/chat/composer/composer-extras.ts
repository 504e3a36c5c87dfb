// All that the message box loads after the first screen: one chunk.
export { AttachmentChips } from '../attachments/attachment-chips.tsx';
export { WaitingIcon } from '../attachments/waiting-icon.tsx';
export { ComposerButtons } from './composer-buttons.tsx';
