import type { McpServer } from '@parley/schema/tools/mcp-servers';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { trpc } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { findServers, isServerNamed } from './arrange-tools-page.ts';
import { ServerForm } from './server-form.tsx';
import { ServerRow } from './server-row.tsx';
import classes from './tools.module.css';

/** The MCP servers of a person that a search finds. Nothing where there are none and none may be added. */
export function McpServers({ query }: { query: string }) {
  const { t } = useTranslation();
  const { data: servers, isError, refetch } = trpc.mcp.list.useQuery(undefined, { staleTime: 0 });
  const { data: mayAdd = false } = trpc.mcp.canAdd.useQuery(undefined, { staleTime: Infinity });
  if (servers?.length === 0 && !mayAdd) return null;
  return (
    <section aria-label={t('com_tools_source_mcp')}>
      {servers ? <ServerList servers={servers} query={query} mayAdd={mayAdd} /> : <Heading />}
      {!servers && isError && (
        <p className={classes.note} role="alert">
          {t('com_mcp_load_failed')}{' '}
          <Button variant="subtle" size="sm" onClick={() => void refetch()}>
            {t('com_ui_retry')}
          </Button>
        </p>
      )}
      {!servers && !isError && (
        <div role="status" aria-label={t('com_mcp_loading')}>
          <SkeletonRows count={2} />
        </div>
      )}
    </section>
  );
}

/** The servers, and the form that adds one or changes one in its place. */
function ServerList({ servers, query, mayAdd }: { servers: readonly McpServer[]; query: string; mayAdd: boolean }) {
  const { t } = useTranslation();
  const { frame, edited, edit, close, focusHead } = useEditing();
  const [added, setAdded] = useState<string | null>(null);
  const found = findServers(servers, query);
  // What is being written is not lost by a search.
  const shown = servers.filter((server) => found.includes(server) || server.id === edited);

  function onSaved({ id }: McpServer): void {
    if (edited === NEW) setAdded(id);
    close(id);
  }

  if (query.trim() !== '' && shown.length === 0 && edited === null) return null;
  return (
    <div ref={frame}>
      <Heading onAdd={mayAdd && edited !== NEW ? () => edit(NEW) : undefined} />
      {edited === NEW && <ServerForm edited={null} onSaved={onSaved} onCancel={() => close(NEW)} />}
      {servers.length === 0 && edited !== NEW && <p className={classes.note}>{t('com_mcp_none')}</p>}
      <ul className={classes.list}>
        {shown.map((server) =>
          edited === server.id ? (
            <li key={server.id}>
              <ServerForm edited={server} onSaved={onSaved} onCancel={() => close(server.id)} />
            </li>
          ) : (
            <ServerRow
              key={server.id}
              server={server}
              wanted={isServerNamed(server, query.trim()) ? undefined : query.trim()}
              isNew={added === server.id}
              onEdit={() => edit(server.id)}
              onRemoved={focusHead}
            />
          ),
        )}
      </ul>
    </div>
  );
}

function Heading({ onAdd }: { onAdd?: (() => void) | undefined }) {
  const { t } = useTranslation();
  return (
    <div className={classes.heading}>
      <div>
        <h2 className={classes.title}>{t('com_tools_source_mcp')}</h2>
        <p className={classes.note}>{t('com_mcp_hint')}</p>
      </div>
      {onAdd && (
        <Button size="sm" data-testid="mcp-add" onClick={onAdd}>
          <IconPlus aria-hidden />
          {t('com_mcp_add')}
        </Button>
      )}
    </div>
  );
}

const NEW = 'new';

/** Which server the form is about. When it closes, the focus goes to that server, or to the button that adds one. */
function useEditing() {
  const frame = useRef<HTMLDivElement>(null);
  const [edited, setEdited] = useState<string | null>(null);
  const returnTo = useRef<string | null>(null);

  useEffect(() => {
    if (edited !== null || returnTo.current === null) return;
    const row = frame.current?.querySelector<HTMLElement>(`[data-testid="mcp-${CSS.escape(returnTo.current)}"] button`);
    if (row) row.focus();
    else focusHead();
    returnTo.current = null;
  }, [edited]);

  function focusHead(): void {
    frame.current?.querySelector<HTMLElement>('[data-testid="mcp-add"]')?.focus();
  }

  return {
    frame,
    edited,
    edit: setEdited,
    close(to: string) {
      returnTo.current = to;
      setEdited(null);
    },
    focusHead,
  };
}
