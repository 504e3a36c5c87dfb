import { useTranslation } from 'react-i18next';
import { useStartup } from '../../startup.ts';
import { Findable } from '../search/findable.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { DeviceList } from './device-list.tsx';
import { PasswordSettings } from './password-settings.tsx';

/** The password where people sign in with one, the devices, and the end of the account. */
export function SecuritySettings() {
  const { t } = useTranslation();
  const startup = useStartup();
  const hasPasswords = startup?.emailLoginEnabled;
  const canDelete = startup?.accountDeletionEnabled ?? true;
  return (
    <>
      {hasPasswords && (
        <Findable words={t('com_nav_password_change')}>
          <PasswordSettings />
        </Findable>
      )}
      <Findable words={t('com_account_devices')}>
        <DeviceList />
      </Findable>
      {canDelete && (
        <Findable words={t('com_account_delete')}>
          <DeleteAccount />
        </Findable>
      )}
    </>
  );
}
