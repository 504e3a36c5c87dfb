import { KeyRows } from './key-rows.tsx';
import { RevokeKeys } from './revoke-keys.tsx';

export function DataSettings() {
  return (
    <>
      <KeyRows />
      <RevokeKeys />
    </>
  );
}
