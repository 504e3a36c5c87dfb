import type { Plugin } from '@parley/schema/tools/plugins';
import { useTranslation } from 'react-i18next';
import { paginate } from '../lib/paginate.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import { Pager } from '../ui/pager.tsx';
import { findPlugins, storePageSize } from './arrange-plugins.ts';
import { useWindowWidth } from './use-window-width.ts';
import classes from './plugin-store.module.css';
import { IconKey } from '@tabler/icons-react';
import { createElement, useId } from 'react';
import { BusyButton } from '../ui/busy-button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { pluginIcon } from './plugin-icon.ts';
import { askedFields } from './plugin-values.ts';
import { describeHindrance } from './describe-hindrance.ts';
import { describePlugin } from './plugin-descriptions.ts';

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

interface PluginCardProps {
  plugin: Plugin;
  isBusy: boolean;
  onInstall: () => void;
  onUninstall: () => void;
  /** Replaces the saved values. */
  onChangeValues: () => void;
}

/** A plugin in the grid of the store. */
function PluginCard({ plugin, isBusy, onInstall, onUninstall, onChangeValues }: PluginCardProps) {
  const { t } = useTranslation();
  const aboutId = useId();
  const { name, isInstalled, unavailable, why } = plugin;
  const description = describePlugin(plugin, t);
  const hasValues = askedFields(plugin).some(({ isSaved }) => isSaved);
  return (
    <li className={classes.card} data-testid={`plugin-${plugin.key}`}>
      <div className={classes.head}>
        <span className={classes.sign}>{createElement(pluginIcon(plugin.key), { 'aria-hidden': true })}</span>
        <h3 className={classes.name} dir="auto">
          {name}
        </h3>
        {unavailable !== null && <span className={classes.ended}>{t('com_tools_ended')}</span>}
        {isInstalled && hasValues && (
          <IconButton
            className={classes.values}
            label={t('com_plugins_change_values', { 0: name })}
            onClick={onChangeValues}
          >
            <IconKey aria-hidden />
          </IconButton>
        )}
      </div>
      <p id={aboutId} className={classes.about} dir="auto" data-tooltip={description}>
        {unavailable === null ? (
          description
        ) : (
          <span className={classes.reason}>{why ? describeHindrance(why, t) : unavailable}</span>
        )}
      </p>
      <BusyButton
        size="sm"
        className={classes.action}
        variant={isInstalled ? 'danger' : 'default'}
        isBusy={isBusy}
        disabled={unavailable !== null && !isInstalled}
        aria-label={t(isInstalled ? 'com_plugins_uninstall_name' : 'com_plugins_install_name', { 0: name })}
        aria-describedby={aboutId}
        onClick={isInstalled ? onUninstall : onInstall}
      >
        {t(isInstalled ? 'com_plugins_uninstall' : 'com_plugins_install')}
      </BusyButton>
    </li>
  );
}
