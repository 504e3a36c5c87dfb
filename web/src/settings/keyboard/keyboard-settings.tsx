import { SettingRows } from '../setting-rows.tsx';

export function KeyboardSettings() {
  return <SettingRows tab="keyboard" />;
}
