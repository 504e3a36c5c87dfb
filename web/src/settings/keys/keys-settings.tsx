import { useTranslation } from 'react-i18next';
import { takesKey } from '../../keys/key-state.ts';
import { useStartup } from '../../startup.ts';
import { trpc } from '../../trpc.ts';
import { PageRow } from '../dialog-row.tsx';
import { Setting } from '../setting.tsx';
import { KeyRows } from './key-rows.tsx';
import { ProgramKeys } from './programs/program-keys.tsx';

/** The person's own keys: those of providers and of tools, then those that this server gives to programs. */
export function KeysSettings() {
  const { t } = useTranslation();
  const endpoints = trpc.endpoints.list.useQuery(undefined, { staleTime: Infinity }).data;
  const isAsked = Object.values(endpoints ?? {}).some(takesKey);
  const startup = useStartup();
  const areToolsOff = startup?.toolsEnabled === false;
  return (
    <>
      {endpoints && !isAsked && <Setting name={t('com_keys_none')} hint={t('com_keys_none_hint')} />}
      <KeyRows />
      {!areToolsOff && <PageRow href="/tools" label={t('com_keys_tools')} hint={t('com_keys_tools_hint')} />}
      {startup?.apiKeysEnabled !== false && <ProgramKeys />}
    </>
  );
}
