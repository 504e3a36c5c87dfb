import { useCallback, useId, useMemo, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { ParseKeys } from 'i18next';
import { SettingsSearchContext } from './find-settings.ts';
import classes from './search.module.css';

interface Tab {
  name: string;
  title: ParseKeys;
  Settings: ComponentType;
}

/** The settings of all tabs that the query names, below the titles of their tabs. */
export function FoundSettings({ query, tabs }: { query: string; tabs: readonly Tab[] }) {
  const { t } = useTranslation();
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({});
  const count = useCallback(
    (name: string, change: number) => setCounts((before) => ({ ...before, [name]: (before[name] ?? 0) + change })),
    [],
  );
  const found = Object.values(counts).reduce((sum, one) => sum + one, 0);
  return (
    <div className={classes.found}>
      {tabs.map((tab) => (
        <Group key={tab.name} tab={tab} query={query} isEmpty={!counts[tab.name]} count={count} />
      ))}
      <p role="status" className={classes.none}>
        {found === 0 ? t('com_nav_search_settings_none') : ''}
      </p>
    </div>
  );
}

interface GroupProps {
  tab: Tab;
  query: string;
  isEmpty: boolean;
  count: (name: string, change: number) => void;
}

function Group({ tab: { name, title, Settings }, query, isEmpty, count }: GroupProps) {
  const { t } = useTranslation();
  const id = useId();
  const search = useMemo(() => ({ query, count: (change: 1 | -1) => count(name, change) }), [query, name, count]);
  return (
    <section aria-labelledby={id} hidden={isEmpty}>
      <h2 id={id} className={classes.title}>
        {t(title)}
      </h2>
      <SettingsSearchContext value={search}>
        <Settings />
      </SettingsSearchContext>
    </section>
  );
}
