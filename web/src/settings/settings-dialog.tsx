import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDatabase, IconFlask, IconSettings, IconTool, IconUser } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import type { SettingsTarget } from '../dialogs/open-dialog.ts';
import { AccountSettings } from './account/account-settings.tsx';
import { GeneralSettings } from './general-settings.tsx';
import { DataSettings } from './data-settings.tsx';
import { FoundSettings } from './search/found-settings.tsx';
import search from './search/search.module.css';
import { SettingsTargetContext } from './settings-place.ts';
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

interface SettingsDialogProps {
  /** Where it opens: the place that a dialog returns to, or a tab. */
  at?: SettingsTarget | undefined;
  onClose: () => void;
}

/** The settings dialog: tabs, or what a search finds in all of them. */
export function SettingsDialog({ at, onClose }: SettingsDialogProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState(at?.query ?? '');
  const [tab, setTab] = useState<string>(at?.tab ?? TABS[0].name);
  const place = useMemo(() => ({ tab, query, returnedTo: at?.row }), [tab, query, at]);
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
      <SettingsTargetContext value={place}>
        {query.trim() === '' ? (
          <SettingsTabs tabs={tabs} shown={tab} onShow={setTab} isReturn={at?.row !== undefined} />
        ) : (
          <FoundSettings query={query.trim()} tabs={tabs} />
        )}
        {at && <FocusInView />}
      </SettingsTargetContext>
    </DialogFrame>
  );
}

/** The dialog gives the focus to the row it returns to before this, and does not scroll. */
function FocusInView(): ReactNode {
  useEffect(() => void document.activeElement?.scrollIntoView({ block: 'nearest' }), []);
  return null;
}

interface SettingsTabsProps {
  tabs: readonly (typeof TABS)[number][];
  shown: string;
  onShow: (tab: string) => void;
  /** A row has the focus. */
  isReturn: boolean;
}

function SettingsTabs({ tabs, shown, onShow, isReturn }: SettingsTabsProps) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  return (
    <Tabs
      ref={useScrollToTop(shown)}
      value={shown}
      onChange={(tab) => tab !== null && onShow(tab)}
      orientation={isNarrow ? 'horizontal' : 'vertical'}
      variant="pills"
      classNames={classes}
    >
      <Tabs.List aria-label={t('com_nav_settings')}>
        {tabs.map(({ name, title, Icon }) => (
          <Tabs.Tab
            key={name}
            value={name}
            leftSection={<Icon aria-hidden />}
            data-autofocus={(name === shown && !isReturn) || undefined}
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
function useScrollToTop(shown: string) {
  const tabs = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    tabs.current?.querySelectorAll('[role="tabpanel"]').forEach((panel) => (panel.scrollTop = 0));
    const dialog = tabs.current?.closest('[role="dialog"]');
    if (dialog) dialog.scrollTop = 0;
  }, [shown]);
  return tabs;
}
