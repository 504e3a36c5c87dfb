import { useTranslation } from 'react-i18next';
import { MyComparisons } from '../../compare/my-comparisons.tsx';
import { ShareList } from '../../shares/share-list.tsx';
import { useStartup } from '../../startup.ts';
import { Findable } from '../search/findable.tsx';
import { ClearChats } from './clear-chats.tsx';
import { DialogRow } from '../dialog-row.tsx';
import { ExportAll } from './export-all.tsx';
import { ImportConvos } from './import-convos.tsx';
import { RetentionRow } from './retention-row.tsx';

/** What a person has here: to take along, to bring, to find again and to delete. */
export function DataSettings() {
  const { t } = useTranslation();
  const canShare = useStartup()?.sharedLinksEnabled ?? true;
  return (
    <>
      <ExportAll />
      <ImportConvos />
      <DialogRow dialog="files" label={t('com_files')} hint={t('com_settings_files_hint')} />
      <DialogRow dialog="archive" label={t('com_archive')} hint={t('com_archive_hint')} />
      <DialogRow dialog="trash" label={t('com_bin')} hint={t('com_settings_bin_hint')} />
      <RetentionRow />
      <ClearChats />
      <Findable words={t('com_compare_mine')}>
        <MyComparisons />
      </Findable>
      {canShare && (
        <Findable words={t('com_share_links')}>
          <ShareList />
        </Findable>
      )}
    </>
  );
}
