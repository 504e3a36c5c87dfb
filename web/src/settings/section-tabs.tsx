import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Section } from './sections.ts';
import classes from './settings-dialog.module.css';

interface SectionTabsProps {
  sections: readonly Section[];
  shown: string;
  /** What a search has found, in place of the section. */
  found: ReactNode;
  /** A row has the focus. */
  isReturn: boolean;
  onShow: (name: string) => void;
}

/** The sections beside the one that is shown. */
export function SectionTabs({ sections, shown, found, isReturn, onShow }: SectionTabsProps) {
  const { t } = useTranslation();
  return (
    <Tabs
      value={found ? null : shown}
      onChange={(name) => name !== null && onShow(name)}
      orientation="vertical"
      variant="pills"
      classNames={{ root: classes.root, list: classes.list, tab: classes.tab, tabLabel: classes.tabLabel }}
    >
      <Tabs.List aria-label={t('com_nav_settings')}>
        {sections.map(({ name, title, Icon }) => (
          <Tabs.Tab
            key={name}
            value={name}
            leftSection={<Icon aria-hidden />}
            data-autofocus={(name === shown && !isReturn && !found) || undefined}
          >
            {t(title)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {found
        ? found
        : sections.map(({ name, title, Settings }) => (
            <Tabs.Panel key={name} value={name} className={classes.panel}>
              <h2 className={classes.title}>{t(title)}</h2>
              <Settings />
            </Tabs.Panel>
          ))}
    </Tabs>
  );
}
