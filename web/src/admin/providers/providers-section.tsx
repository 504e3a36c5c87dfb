import type { ProviderRow, Tried } from '@parley/schema/catalog/saved-providers';
import { IconPlus } from '@tabler/icons-react';
import { useStore } from 'jotai';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { ReadSection, useFollowedList } from '../admin-list.tsx';
import classes from '../admin.module.css';
import { AccessDialog } from './access/access-dialog.tsx';
import { KINDS, OTHER } from './form/form-values.ts';
import { ProviderForm } from './form/provider-form.tsx';
import type { Edited } from './form/provider-form.tsx';
import { ProviderTable } from './list/provider-table.tsx';
import { PricesDialog } from './prices/prices-dialog.tsx';
import { useProviderActions, useRefreshOffer } from './use-providers.ts';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { ADD_PROVIDER_PATH, PROVIDERS_PATH } from '../../catalog/provider-paths.ts';
import { ConfirmDialog } from '../../dialogs/confirm-dialog.tsx';
import pageClasses from '../../layout/page/page.module.css';
import { FIRST_SLOT, startNewChat } from '../../slots/slot.ts';
import { trpc } from '../../trpc.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast/toast.ts';

/** The providers of this server: what the environment and the yaml file set, and what is added here. */
export function ProvidersSection() {
  useFollowedList('providers');
  const query = trpc.admin.providers.list.useQuery(undefined, { refetchOnMount: 'always' });
  return (
    <ReadSection query={query} rows={4}>
      {(rows) => <Providers rows={rows} />}
    </ReadSection>
  );
}

/** What is open about a provider. */
type Opened = { what: 'access' | 'prices' | 'removal'; row: ProviderRow };

function Providers({ rows }: { rows: readonly ProviderRow[] }) {
  const { t } = useTranslation();
  const actions = useProviderActions(rows);
  const params = new URLSearchParams(useSearch());
  const edited = rows.find((row): row is Edited => row.saved !== null && row.name === params.get('edit'));
  const [opened, setOpened] = useState<Opened | null>(null);
  const onSaved = useAfterSave(rows);
  const close = () => navigate(PROVIDERS_PATH);

  if (edited || params.has('add')) {
    return (
      <ProviderForm
        key={edited?.name}
        edited={edited ?? null}
        kinds={newKinds(rows)}
        onSaved={onSaved}
        onCancel={close}
      />
    );
  }
  return (
    <>
      <div className={classes.top}>
        <p className={pageClasses.note}>
          {t(rows.length > 0 ? 'com_admin_providers_about' : 'com_admin_providers_none')}
        </p>
        <Button variant="filled" onClick={() => navigate(ADD_PROVIDER_PATH)}>
          <IconPlus aria-hidden />
          {t('com_landing_add_provider')}
        </Button>
      </div>
      {rows.length > 0 && (
        <ProviderTable rows={rows} actions={actions} onOpen={(what, row) => setOpened({ what, row })} />
      )}
      {opened && <Dialog opened={opened} actions={actions} onClose={() => setOpened(null)} />}
    </>
  );
}

interface DialogProps {
  opened: Opened;
  actions: ReturnType<typeof useProviderActions>;
  onClose: () => void;
}

function Dialog({ opened: { what, row }, actions, onClose }: DialogProps) {
  const { t } = useTranslation();
  const { name, saved } = row;
  if (what === 'prices') return <PricesDialog endpoint={name} onClose={onClose} />;
  if (what === 'access') return <AccessDialog endpoint={name} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('com_admin_providers_remove_title', { 0: endpointLabel(name) })}
      text={t('com_admin_providers_remove_text')}
      verb={t('com_admin_providers_remove')}
      onCancel={onClose}
      onConfirm={() => {
        if (saved) actions.remove({ name, version: saved.version });
        onClose();
      }}
    />
  );
}

/** After the first provider, its model is asked; after another one, the list is shown. */
function useAfterSave(rows: readonly ProviderRow[]) {
  const { t } = useTranslation();
  const store = useStore();
  const refresh = useRefreshOffer();
  const isFirst = !rows.some(({ state }) => state === 'on');
  return (name: string, tried: Tried | null) => {
    showToast({ message: t('com_admin_providers_ready', { 0: endpointLabel(name) }), severity: 'success' });
    void refresh().then(() => {
      if (isFirst && tried?.ok) startNewChat(store, FIRST_SLOT, { endpoint: name, model: tried.answer.model });
      else navigate(PROVIDERS_PATH);
    });
  };
}

/** Those that are not there yet; whatever is compatible with OpenAI can be added again and again. */
function newKinds(rows: readonly ProviderRow[]) {
  const isThere = ({ label, type }: (typeof KINDS)[number]) =>
    rows.some((row) => (type === 'custom' ? row.name.toLowerCase() === label.toLowerCase() : row.type === type));
  const [first = OTHER, ...rest] = KINDS.filter((kind) => kind === OTHER || !isThere(kind));
  return [first, ...rest] as const;
}
