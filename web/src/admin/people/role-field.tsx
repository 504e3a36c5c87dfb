import type { Role } from '@parley/schema/accounts/people';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { roleWord } from './person-facts.tsx';

const ROLES: readonly Role[] = ['USER', 'ADMIN'];

export function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const { t } = useTranslation();
  return (
    <SelectField
      label={t('com_people_role')}
      description={role === 'ADMIN' ? t('com_people_admin_hint') : undefined}
      value={role}
      options={ROLES.map((value) => ({ value, label: roleWord(value, t) }))}
      onChange={onChange}
    />
  );
}
