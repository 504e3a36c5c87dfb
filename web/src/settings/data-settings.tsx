import { ShareList } from '../shares/share-list.tsx';
import { useStartup } from '../startup.ts';
import { KeyRows } from './key-rows.tsx';
import { RevokeKeys } from './revoke-keys.tsx';

export function DataSettings() {
  const canShare = useStartup()?.sharedLinksEnabled ?? true;
  return (
    <>
      <KeyRows />
      <RevokeKeys />
      {canShare && <ShareList />}
    </>
  );
}
