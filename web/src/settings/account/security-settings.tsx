import { useTranslation } from 'react-i18next';
import { useStartup } from '../../startup.ts';
import { Findable } from '../search/findable.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { DeviceList } from './device-list.tsx';
import { SecondFactorSettings } from './second-factor/second-factor-settings.tsx';
import { PasswordSettings } from './password-settings.tsx';

/** The password and the second factor where people sign in with them, the devices, and the end of the account. */
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
      {hasPasswords && (
        <Findable words={t('com_factor_title')}>
          <SecondFactorSettings />
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
