import '../locales/load/settings.ts';
import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDatabase, IconFlask, IconSettings, IconTool, IconUser } from '@tabler/icons-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { AccountSettings } from './account/account-settings.tsx';
import { GeneralSettings } from './general-settings.tsx';
import { DataSettings } from './data-settings.tsx';
import { FoundSettings } from './search/found-settings.tsx';
import search from './search/search.module.css';
import { SettingRows } from './setting-rows.tsx';
import { ToolsSettings } from './tools-settings.tsx';
import { useStartup } from '../startup.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import classes from './settings-dialog.module.css';

/** The same breakpoint as in the stylesheet. */
const NARROW = '(max-width: 768px)';

/** A tab for each kind of setting there is. */
const TABS = [
  {
    name: 'general',
    title: 'com_nav_setting_general',
    Icon: IconSettings,
    Settings: GeneralSettings,
  },
  { name: 'beta', title: 'com_nav_setting_beta', Icon: IconFlask, Settings: () => <SettingRows tab="beta" /> },
  { name: 'tools', title: 'com_nav_setting_tools', Icon: IconTool, Settings: ToolsSettings },
  { name: 'data', title: 'com_nav_setting_data', Icon: IconDatabase, Settings: DataSettings },
  { name: 'account', title: 'com_nav_setting_account', Icon: IconUser, Settings: AccountSettings },
] as const;

/** The settings dialog: tabs, or what a search finds in all of them. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const areToolsOff = useStartup()?.toolsEnabled === false;
  const tabs = TABS.filter(({ name }) => name !== 'tools' || !areToolsOff);
  return (
    <DialogFrame title={t('com_nav_settings')} size="xl" onClose={onClose}>
      <SearchField
        type="search"
        className={search.field}
        placeholder={t('com_nav_search_settings')}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        // The first Escape empties the field, the next one closes the dialog.
        data-mantine-stop-propagation={query === '' ? undefined : 'true'}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setQuery('');
        }}
      />
      {query.trim() === '' ? <SettingsTabs tabs={tabs} /> : <FoundSettings query={query.trim()} tabs={tabs} />}
    </DialogFrame>
  );
}

function SettingsTabs({ tabs }: { tabs: readonly (typeof TABS)[number][] }) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const [shown, setShown] = useState<string | null>(TABS[0].name);
  return (
    <Tabs
      ref={useScrollToTop(shown)}
      value={shown}
      onChange={setShown}
      orientation={isNarrow ? 'horizontal' : 'vertical'}
      variant="pills"
      classNames={classes}
    >
      <Tabs.List aria-label={t('com_nav_settings')}>
        {tabs.map(({ name, title, Icon }, index) => (
          <Tabs.Tab
            key={name}
            value={name}
            leftSection={<Icon aria-hidden />}
            data-autofocus={index === 0 || undefined}
          >
            {t(title)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, Settings }) => (
        <Tabs.Panel key={name} value={name}>
          <Settings />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** Begins each tab at its top. A short window scrolls the dialog, any other the tab itself. */
function useScrollToTop(shown: string | null) {
  const tabs = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    tabs.current?.querySelectorAll('[role="tabpanel"]').forEach((panel) => (panel.scrollTop = 0));
    const dialog = tabs.current?.closest('[role="dialog"]');
    if (dialog) dialog.scrollTop = 0;
  }, [shown]);
  return tabs;
}
