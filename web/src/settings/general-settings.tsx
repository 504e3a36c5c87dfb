import { ClearChats } from './clear-chats.tsx';
import { SettingRows } from './setting-rows.tsx';

export function GeneralSettings() {
  return (
    <>
      <SettingRows tab="general" />
      <ClearChats />
    </>
  );
}
