// The small dialogs, and what else is opened over a chat: one file.
export { SignOutDialog } from '../../auth/sign-out/sign-out-dialog.tsx';
export { ArchiveDialog } from '../../convos/dialogs/archive-dialog.tsx';
export { ClearDialog } from '../../convos/dialogs/clear-dialog.tsx';
export { RemoveDialog } from '../../convos/dialogs/remove-dialog.tsx';
export { TrashDialog } from '../../convos/dialogs/trash-dialog.tsx';
export { PrintSheet } from '../../export/print-sheet.tsx';
export { FindBar } from '../../find/find-bar.tsx';
export { FolderDialog } from '../../folders/folder-dialog.tsx';
export { MoveDialog } from '../../folders/move-dialog.tsx';
export { RemoveFolderDialog } from '../../folders/remove-folder-dialog.tsx';
export { KeyDialog } from '../../keys/key-dialog.tsx';
export { Palette } from '../../palette/palette.tsx';
export { ClearPresetsDialog } from '../../presets/clear-presets-dialog.tsx';
export { PresetDialog } from '../../presets/preset-dialog.tsx';
export { RemovePresetDialog } from '../../presets/remove-preset-dialog.tsx';
export { ShareDialog } from '../../shares/share-dialog.tsx';
export { ShortcutsDialog } from './shortcuts-dialog.tsx';
