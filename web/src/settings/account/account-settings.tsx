import { useTranslation } from 'react-i18next';
import { AvatarSetting } from '../../files/avatar/avatar-setting.tsx';
import { Findable } from '../search/findable.tsx';
import { SettingRows } from '../setting-rows.tsx';
import { ProfileForm } from './profile-form.tsx';

/** Who one is here. */
export function AccountSettings() {
  const { t } = useTranslation();
  return (
    <>
      <Findable words={t('com_avatar')}>
        <AvatarSetting />
      </Findable>
      <Findable words={`${t('com_account_profile')} ${t('com_auth_full_name')} ${t('com_auth_username')}`}>
        <ProfileForm />
      </Findable>
      <SettingRows tab="account" />
    </>
  );
}
