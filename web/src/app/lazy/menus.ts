// The menus of the frame, mounted open, and the panels beside a chat: one file, as nearly all of them need the same
// positioning and focus code.
export { ContextPicker } from '../../mentions/context-picker.tsx';
export { PromptsPanel } from '../../mentions/prompts/prompts-panel.tsx';
export { PanelBody } from '../../side-panel/panel-body.tsx';
export { MoreMenu } from '../header/more-menu.tsx';
export { ListMenu } from '../sidebar/list-menu/list-menu.tsx';
export { OpenFolderMenu } from '../sidebar/folders/folder-menu.tsx';
export { OpenRowMenu } from '../sidebar/row-menu.tsx';
export { OpenUserMenu } from '../user-menu/user-menu-rows.tsx';
