import { IconChartBar, IconDatabase, IconInfoCircle, IconKey, IconKeyboard, IconMessage, IconPalette, IconQuote, IconShieldLock, IconTool, IconUser } from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import { AboutSettings } from './about/about-settings.tsx';
import { AccountSettings } from './account/account-settings.tsx';
import { SecuritySettings } from './account/security-settings.tsx';
import { DataSettings } from './data/data-settings.tsx';
import { KeyboardSettings } from './keyboard/keyboard-settings.tsx';
import { KeysSettings } from './keys/keys-settings.tsx';
import { PromptsSettings } from './prompts/prompts-settings.tsx';
import { AppearanceSettings, ChatSettings } from './setting-rows.tsx';
import { UsageSettings } from './usage/usage-settings.tsx';
import { useTranslation } from 'react-i18next';
import { GrantList, useGrants } from '../chat/tools/allowed-tools.tsx';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { McpServers } from '../mcp/mcp-servers.tsx';
import { Button } from '../ui/button.tsx';
import { Findable } from './search/findable.tsx';
import { Setting } from './setting.tsx';
import { useReturn } from './settings-place.ts';

export interface Section {
  name: string;
  title: ParseKeys;
  Icon: ComponentType<{ 'aria-hidden': boolean }>;
  Settings: ComponentType;
}

/** What people look for, in the order of how often they do. */
export const SECTIONS: readonly Section[] = [
  { name: 'appearance', title: 'com_settings_appearance', Icon: IconPalette, Settings: AppearanceSettings },
  { name: 'chat', title: 'com_settings_chat', Icon: IconMessage, Settings: ChatSettings },
  { name: 'keyboard', title: 'com_settings_keyboard', Icon: IconKeyboard, Settings: KeyboardSettings },
  { name: 'prompts', title: 'com_prompts', Icon: IconQuote, Settings: PromptsSettings },
  { name: 'tools', title: 'com_nav_setting_tools', Icon: IconTool, Settings: ToolsSettings },
  { name: 'keys', title: 'com_settings_keys', Icon: IconKey, Settings: KeysSettings },
  { name: 'data', title: 'com_settings_data', Icon: IconDatabase, Settings: DataSettings },
  { name: 'usage', title: 'com_settings_usage', Icon: IconChartBar, Settings: UsageSettings },
  { name: 'account', title: 'com_nav_setting_account', Icon: IconUser, Settings: AccountSettings },
  { name: 'security', title: 'com_settings_security', Icon: IconShieldLock, Settings: SecuritySettings },
  { name: 'about', title: 'com_settings_about', Icon: IconInfoCircle, Settings: AboutSettings },
];

/** The plugin store, the MCP servers, and the tools that are called without asking. */
function ToolsSettings() {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  const { back, isReturn } = useReturn('plugins');
  const grants = useGrants();
  return (
    <>
      <Setting name={t('com_plugins_store')} hint={t('com_plugins_store_hint')}>
        <Button
          size="sm"
          aria-haspopup="dialog"
          aria-label={t('com_plugins_open_store')}
          data-autofocus={isReturn || undefined}
          onClick={() => showDialog({ name: 'plugins', back })}
        >
          {t('com_plugins_open')}
        </Button>
      </Setting>
      <Findable words={t('com_tools_source_mcp')}>
        <McpServers />
      </Findable>
      <Findable words={`${t('com_tools_grants')} ${t('com_tools_grants_hint')}`}>
        <Setting
          name={t('com_tools_grants')}
          hint={grants?.length === 0 ? t('com_tools_grants_none') : t('com_tools_grants_hint')}
        />
        {grants && <GrantList grants={grants} />}
      </Findable>
    </>
  );
}
