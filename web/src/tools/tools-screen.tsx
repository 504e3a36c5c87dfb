import { IconChevronDown } from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import page from '../layout/page/page.module.css';
import { Page } from '../layout/page/page.tsx';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { formatNumber } from '../lib/format-number.ts';
import { isTouchDevice } from '../lib/is-touch-device.ts';
import { useInstall } from '../plugins/use-install.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { useStartup } from '../startup.ts';
import { trpc } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { SearchField } from '../ui/fields/search-field.tsx';
import { Problem } from '../ui/primitives/problem.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { arrangeToolsPage, findServers, type ToolLine as Line } from './arrange-tools-page.ts';
import { Grants } from './grants.tsx';
import { McpServers } from './mcp-servers.tsx';
import { ToolLine } from './tool-line.tsx';
import classes from './tools.module.css';

/** The page of all tools that answers can use, and of what is set up for them. */
export function ToolsScreen() {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  const [query, setQuery] = useState('');
  if (useStartup()?.toolsEnabled === false) {
    return (
      <Page title={t('com_tools')}>
        <p className={page.note}>{t('com_tools_none')}</p>
      </Page>
    );
  }
  return (
    <Page
      title={t('com_tools')}
      actions={<Button onClick={() => showDialog({ name: 'plugins' })}>{t('com_plugins_store')}</Button>}
    >
      <p className={page.note}>{t('com_tools_hint')}</p>
      <SearchField
        // Anyone who comes by key goes on here.
        ref={isTouchDevice() ? null : focusIfLost}
        placeholder={t('com_tools_search')}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <Groups query={query} />
      {query.trim() === '' && <Grants />}
    </Page>
  );
}

function Groups({ query }: { query: string }) {
  const { t, i18n } = useTranslation();
  const isOperator = useIsOperator();
  const tools = trpc.tools.list.useQuery(undefined, { staleTime: 0 });
  const plugins = trpc.plugins.list.useQuery(undefined, { staleTime: 0 });
  const servers = trpc.mcp.list.useQuery(undefined, { staleTime: 0 }).data ?? [];
  const { failure, uninstall } = useInstall();
  if (!tools.data || !plugins.data) {
    if (tools.isError || plugins.isError) {
      return (
        <div className={page.notice} role="alert">
          <p className={page.note}>{t('com_tools_load_failed')}</p>
          <Button onClick={() => void Promise.all([tools.refetch(), plugins.refetch()])}>{t('com_ui_retry')}</Button>
        </div>
      );
    }
    return (
      <div role="status" aria-label={t('com_tools_loading')}>
        <SkeletonRows count={8} />
      </div>
    );
  }
  const { builtin, services, closed } = arrangeToolsPage(tools.data, plugins.data, { query, isOperator, t });
  const isNothing = [builtin, services, closed, findServers(servers, query)].every(({ length }) => length === 0);
  const rows = (lines: readonly Line[]) =>
    lines.map((line) => <ToolLine key={line.key} line={line} onRemove={uninstall} />);
  return (
    <>
      <Problem>{failure}</Problem>
      <p className={page.note} role="status" hidden={!isNothing}>
        {isNothing && t('com_tools_not_found')}
      </p>
      <Group title="com_tools_source_builtin">{rows(builtin)}</Group>
      <McpServers query={query} />
      <Group title="com_tools_source_service">{rows(services)}</Group>
      {closed.length > 0 && (
        <details className={classes.closed} open={query.trim() !== '' || undefined}>
          <summary>
            <IconChevronDown aria-hidden />
            <h2 className={classes.title}>{t('com_tools_closed')}</h2>
            <span className={classes.count}>{formatNumber(closed.length, i18n.language)}</span>
          </summary>
          <ul className={classes.list}>{rows(closed)}</ul>
        </details>
      )}
    </>
  );
}

function Group({ title, children }: { title: ParseKeys; children: ReactNode[] }) {
  const { t } = useTranslation();
  if (children.length === 0) return null;
  return (
    <section aria-label={t(title)}>
      <h2 className={classes.title}>{t(title)}</h2>
      <ul className={classes.list}>{children}</ul>
    </section>
  );
}
