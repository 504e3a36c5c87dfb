import { useTranslation } from 'react-i18next';
import { ShareList } from '../shares/share-list.tsx';
import { useStartup } from '../startup.ts';
import { ExportAll } from './account/export-all.tsx';
import { ImportConvos } from './import-convos.tsx';
import { useMayHaveKeys } from '../keys/use-may-have-keys.ts';
import { KeyRows } from './key-rows.tsx';
import { RevokeKeys } from './revoke-keys.tsx';
import { Findable } from './search/findable.tsx';

export function DataSettings() {
  const { t } = useTranslation();
  const canShare = useStartup()?.sharedLinksEnabled ?? true;
  const mayHaveKeys = useMayHaveKeys();
  return (
    <>
      <ExportAll />
      <ImportConvos />
      <KeyRows />
      {mayHaveKeys && <RevokeKeys />}
      {canShare && (
        <Findable words={t('com_share_links')}>
          <ShareList />
        </Findable>
      )}
    </>
  );
}
