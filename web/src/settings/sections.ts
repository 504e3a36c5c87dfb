import {
  IconAdjustments,
  IconBell,
  IconBrain,
  IconBulb,
  IconChartBar,
  IconDatabase,
  IconFlask,
  IconId,
  IconInfoCircle,
  IconKey,
  IconKeyboard,
  IconMessage,
  IconPalette,
  IconSettings,
  IconShieldLock,
  IconUser,
  IconUserHeart,
  IconVolume,
} from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import { AboutSettings } from './about/about-settings.tsx';
import { AccountSettings, ProfileSettings } from './account/account-settings.tsx';
import { SecuritySettings } from './account/security-settings.tsx';
import { DataSettings } from './data/data-settings.tsx';
import { GeneralSettings } from './general-settings.tsx';
import { KeyboardSettings } from './keyboard/keyboard-settings.tsx';
import { KeysSettings } from './keys/keys-settings.tsx';
import { MemorySettings } from './memory/memory-settings.tsx';
import { NoticesSettings } from './notices/notices-settings.tsx';
import { PersonalizationSettings } from './personalization/personalization-settings.tsx';
import { RevokeKeys } from './keys/revoke-keys.tsx';
import { SkillsSettings } from './skills/skills-settings.tsx';
import { SpeechSettings } from './speech/speech-settings.tsx';
import { AppearanceSettings, BetaSettings, ChatSettings } from './setting-rows.tsx';
import { UsageSettings } from './usage/usage-settings.tsx';

export interface Section {
  name: string;
  title: ParseKeys;
  Icon: ComponentType<{ 'aria-hidden': boolean }>;
  Settings: ComponentType;
}

/** First the four that every client of this kind has, then what people look for, in the order of how often they do. */
export const SECTIONS: readonly Section[] = [
  { name: 'general', title: 'com_nav_setting_general', Icon: IconSettings, Settings: GeneralSettings },
  { name: 'beta', title: 'com_nav_setting_beta', Icon: IconFlask, Settings: BetaSettings },
  { name: 'controls', title: 'com_nav_setting_data', Icon: IconAdjustments, Settings: RevokeKeys },
  { name: 'account', title: 'com_nav_setting_account', Icon: IconUser, Settings: AccountSettings },
  { name: 'profile', title: 'com_account_profile', Icon: IconId, Settings: ProfileSettings },
  { name: 'appearance', title: 'com_settings_appearance', Icon: IconPalette, Settings: AppearanceSettings },
  { name: 'chat', title: 'com_settings_chat', Icon: IconMessage, Settings: ChatSettings },
  { name: 'speech', title: 'com_settings_speech', Icon: IconVolume, Settings: SpeechSettings },
  { name: 'memory', title: 'com_memory', Icon: IconBrain, Settings: MemorySettings },
  { name: 'skills', title: 'com_skills', Icon: IconBulb, Settings: SkillsSettings },
  { name: 'personalization', title: 'com_personalization', Icon: IconUserHeart, Settings: PersonalizationSettings },
  { name: 'notices', title: 'com_notices', Icon: IconBell, Settings: NoticesSettings },
  { name: 'keyboard', title: 'com_settings_keyboard', Icon: IconKeyboard, Settings: KeyboardSettings },
  { name: 'keys', title: 'com_settings_keys', Icon: IconKey, Settings: KeysSettings },
  { name: 'data', title: 'com_settings_data', Icon: IconDatabase, Settings: DataSettings },
  { name: 'usage', title: 'com_settings_usage', Icon: IconChartBar, Settings: UsageSettings },
  { name: 'security', title: 'com_settings_security', Icon: IconShieldLock, Settings: SecuritySettings },
  { name: 'about', title: 'com_settings_about', Icon: IconInfoCircle, Settings: AboutSettings },
];
