import type { Plugin } from '@parley/schema/tools/plugins';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogFrame } from '../dialogs/dialog-frame.tsx';
import { trpc } from '../trpc.ts';
import { Button } from '../ui/button.tsx';
import { Problem } from '../ui/primitives/problem.tsx';
import { PluginForm } from './plugin-form.tsx';
import { PluginGrid } from './plugin-grid.tsx';
import { needsForm, type Values } from './plugin-values.ts';
import { useInstall } from './use-install.ts';
import { useWindowWidth } from './use-window-width.ts';
import { storePageSize } from './arrange-plugins.ts';
import classes from './plugin-store.module.css';

interface PluginStoreProps {
  /** The key of a plugin whose values are asked for at once. */
  asked?: string | undefined;
  onClose: () => void;
}

/** The plugin store: all plugins, to find, install and uninstall them. */
export function PluginStore({ asked: first, onClose }: PluginStoreProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<string | null>(first ?? null);

  /** Who came for the values of one plugin is done with it. */
  function ask(key: string | null): void {
    if (key === null && first !== undefined) onClose();
    else setAsked(key);
  }

  return (
    <DialogFrame title={t('com_plugins_store')} size={asked === null ? '68rem' : '34rem'} onClose={onClose}>
      <Content asked={asked} onAsk={ask} />
    </DialogFrame>
  );
}

interface AskedProps {
  /** The key of the plugin whose values are asked for. */
  asked: string | null;
  onAsk: (key: string | null) => void;
}

function Content(askedProps: AskedProps) {
  const { t } = useTranslation();
  const { data: plugins, isError, refetch } = trpc.plugins.list.useQuery(undefined, { staleTime: 0 });
  if (!plugins && isError) {
    return (
      <div className={classes.empty} role="alert">
        <p>{t('com_plugins_load_failed')}</p>
        <Button size="sm" onClick={() => void refetch()}>
          {t('com_ui_retry')}
        </Button>
      </div>
    );
  }
  return plugins ? <Store plugins={plugins} {...askedProps} /> : <Skeleton />;
}

function Store({ plugins, asked, onAsk }: AskedProps & { plugins: readonly Plugin[] }) {
  const [query, setQuery] = useState('');
  const [page, setPage] = useState(0);
  const { busy, failure, install, uninstall } = useInstall();
  const frame = useRef<HTMLDivElement>(null);
  const form = plugins.find(({ key }) => key === asked);
  useFocusOnReturn(frame, asked);

  async function save(plugin: Plugin, values: Values): Promise<void> {
    if (await install(plugin, values)) onAsk(null);
  }

  return (
    <div ref={frame} className={classes.store}>
      <Problem>{failure}</Problem>
      {form ? (
        <PluginForm
          plugin={form}
          isBusy={busy.has(form.key)}
          onSave={(values) => void save(form, values)}
          onCancel={() => onAsk(null)}
        />
      ) : (
        <PluginGrid
          plugins={plugins}
          query={query}
          page={page}
          busy={busy}
          onQuery={(text) => {
            setQuery(text);
            setPage(0);
          }}
          onPage={setPage}
          onInstall={(plugin) => (needsForm(plugin) ? onAsk(plugin.key) : void install(plugin))}
          onUninstall={(plugin) => void uninstall(plugin)}
          onChangeValues={(plugin) => onAsk(plugin.key)}
        />
      )}
    </div>
  );
}

/** When the form closes, the focus returns to the plugin that it was about. */
function useFocusOnReturn(frame: RefObject<HTMLDivElement | null>, asked: string | null): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (asked === null && before.current !== null) {
      const card = frame.current?.querySelector(`[data-testid="plugin-${CSS.escape(before.current)}"]`);
      [...(card?.querySelectorAll('button') ?? [])].at(-1)?.focus();
    }
    before.current = asked;
  }, [asked, frame]);
}

function Skeleton() {
  const { t } = useTranslation();
  const count = storePageSize(useWindowWidth());
  return (
    <div className={classes.store} role="status" aria-label={t('com_plugins_loading')}>
      <div className={classes.grid} aria-hidden>
        {Array.from({ length: count }, (_, index) => (
          <div key={index} className={classes.card} data-empty />
        ))}
      </div>
    </div>
  );
}
