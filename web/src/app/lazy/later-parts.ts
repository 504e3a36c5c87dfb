// What the signed-in app loads once one can type.
export { AutoSelect } from '../../assistants/auto-select.tsx';
export { FinishedAnnouncer } from '../../chat/finished-announcer.tsx';
export { PresetsButton } from '../../chat/header/presets-button.tsx';
export { TreeButtons } from '../../chat/tree/tree-buttons.tsx';
export { ChangeFeed } from '../../convos/changes/change-feed.ts';
export { SidePanel } from '../../side-panel/side-panel.tsx';
export { SidePanelToggle } from '../../side-panel/side-panel-toggle.tsx';
export { TemporaryNotice } from '../../temporary/temporary-notice.tsx';
export { TemporaryToggle } from '../../temporary/temporary-toggle.tsx';
export { ConvoHeading } from '../header/convo-heading.tsx';
export { HeaderMore } from '../header/header-more.tsx';
export { HeaderParams } from '../header/header-params.tsx';
export { MoreShortcuts } from '../shortcuts/more-shortcuts.ts';
