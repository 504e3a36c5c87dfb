import { ExportAll } from './account/export-all.tsx';
import { KeyRows } from './key-rows.tsx';
import { RevokeKeys } from './revoke-keys.tsx';

export function DataSettings() {
  return (
    <>
      <ExportAll />
      <KeyRows />
      <RevokeKeys />
    </>
  );
}
