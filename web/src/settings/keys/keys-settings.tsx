import { useTranslation } from 'react-i18next';
import { takesKey } from '../../keys/key-state.ts';
import { useMayHaveKeys } from '../../keys/use-may-have-keys.ts';
import { useStartup } from '../../startup.ts';
import { trpc } from '../../trpc.ts';
import { DialogRow } from '../dialog-row.tsx';
import { Setting } from '../setting.tsx';
import { KeyRows } from './key-rows.tsx';
import { RevokeKeys } from './revoke-keys.tsx';

/** The person's own keys: those of providers, and those of tools. */
export function KeysSettings() {
  const { t } = useTranslation();
  const endpoints = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity }).data;
  const isAsked = Object.values(endpoints ?? {}).some(takesKey);
  const areToolsOff = useStartup()?.toolsEnabled === false;
  const mayHaveKeys = useMayHaveKeys();
  return (
    <>
      {endpoints && !isAsked && <Setting name={t('com_keys_none')} hint={t('com_keys_none_hint')} />}
      <KeyRows />
      {!areToolsOff && <DialogRow dialog="plugins" label={t('com_keys_tools')} hint={t('com_keys_tools_hint')} />}
      {mayHaveKeys && <RevokeKeys />}
    </>
  );
}
