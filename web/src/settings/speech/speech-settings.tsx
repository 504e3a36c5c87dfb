import type { SettingName } from '@parley/schema/settings/interface';
import { useStartup } from '../../startup.ts';
import { SettingRows } from '../setting-rows.tsx';

/** How answers are read aloud and what is said is sent. */
export function SpeechSettings() {
  const startup = useStartup();
  const without: SettingName[] = [];
  if (startup && !startup.readingEnabled) without.push('speechEngine');
  if (startup && !startup.dictationEnabled) without.push('sendSpoken');
  return <SettingRows tab="speech" without={without} />;
}
