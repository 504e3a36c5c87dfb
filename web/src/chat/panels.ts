// What opens above a chat: one file, as all of them need the same positioning and focus code.
export { AddMenu } from './add/add-menu.tsx';
export { ReplyDetails } from './context/reply-details.tsx';
export { ParamsPopover } from './header/params-popover.tsx';
export { PresetMenu } from './header/preset-menu.tsx';
export { OpenMessageMenu } from './message-actions/message-menu-rows.tsx';
export { MemoryCards, UsedMemories } from './memory/memory-parts.tsx';
export { PersonalOffer } from './memory/personal-offer.tsx';
export { MessageEdit } from './message-edit/message-edit.tsx';
export { OtherModelDialog } from './other-model/other-model-dialog.tsx';
export { PluginPanel } from './plugin-bar/plugin-panel.tsx';
export { ToolsMenu } from './tools/tool-list.tsx';
export { EffortMenu } from './toggles/effort-menu.tsx';
export { Outline } from './tree/outline.tsx';
export { TreeMap } from './tree/tree-map.tsx';
export { ReadButton } from './voice/read-button.tsx';
export { DictationBar } from './voice/dictation-bar.tsx';
export { VoiceMode } from './voice/voice-mode.tsx';
export { AutoReader } from './voice/auto-reader.tsx';
