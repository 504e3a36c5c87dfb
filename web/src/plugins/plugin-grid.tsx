import type { Plugin } from '@parley/schema/tools/plugins';
import { useTranslation } from 'react-i18next';
import { paginate } from '../lib/paginate.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import { Pager } from '../ui/pager.tsx';
import { findPlugins, storePageSize } from './arrange-plugins.ts';
import { PluginCard } from './plugin-card.tsx';
import { useWindowWidth } from './use-window-width.ts';
import classes from './plugin-store.module.css';

interface PluginGridProps {
  plugins: readonly Plugin[];
  query: string;
  /** From 0. */
  page: number;
  /** The keys of the plugins that are being installed or uninstalled. */
  busy: ReadonlySet<string>;
  onQuery: (text: string) => void;
  onPage: (page: number) => void;
  onInstall: (plugin: Plugin) => void;
  onUninstall: (plugin: Plugin) => void;
  onChangeValues: (plugin: Plugin) => void;
}

/** A page of the plugins that a search finds. */
export function PluginGrid({ plugins, query, page, busy, onQuery, onPage, ...acts }: PluginGridProps) {
  const { t } = useTranslation();
  const size = storePageSize(useWindowWidth());
  const shown = paginate(findPlugins(plugins, query), page, size);
  return (
    <>
      <SearchField
        placeholder={t('com_plugins_search')}
        value={query}
        onChange={(event) => onQuery(event.currentTarget.value)}
        data-autofocus
      />
      {shown.rows.length === 0 ? (
        <p className={classes.empty} role="status">
          {t('com_plugins_not_found')}
        </p>
      ) : (
        <ul className={classes.grid}>
          {shown.rows.map((plugin) => (
            <PluginCard
              key={plugin.key}
              plugin={plugin}
              isBusy={busy.has(plugin.key)}
              onInstall={() => acts.onInstall(plugin)}
              onUninstall={() => acts.onUninstall(plugin)}
              onChangeValues={() => acts.onChangeValues(plugin)}
            />
          ))}
        </ul>
      )}
      <Pager page={shown} onPage={onPage} />
    </>
  );
}
