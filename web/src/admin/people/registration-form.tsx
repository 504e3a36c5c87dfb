import type { AppRouter } from '@parley/server/router';
import type { inferRouterOutputs } from '@trpc/server';
import type { RegistrationMode } from '@parley/schema/accounts/registration';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { trpc } from '../../trpc.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import { Block } from '../admin-list.tsx';
import { REREAD, SettingForm, useSettingForm } from '../admin-form.tsx';

const MODES: readonly RegistrationMode[] = ['open', 'approval', 'invitation', 'closed'];

/** Who may register. */
export function RegistrationForm() {
  const { t } = useTranslation();
  const { data, error } = trpc.admin.people.registration.useQuery(undefined, REREAD);
  return (
    <Block title={t('com_people_registration')}>
      <FailureAlert sentence={error && describeError(error, t)} />
      {/* What somebody else has saved takes the place of what is being changed here. */}
      {data && <Fields key={data.version} setting={data} />}
    </Block>
  );
}

function Fields({ setting }: { setting: inferRouterOutputs<AppRouter>['admin']['people']['registration'] }) {
  const { t } = useTranslation();
  const { client, admin, endpoints } = trpc.useUtils();
  const { mode, allowedDomains, version, fixed } = setting;
  const form = useSettingForm({
    fixed,
    initial: { mode, allowedDomains: allowedDomains.join(' ') },
    save: ({ allowedDomains: typed, mode: picked }) => {
      const domains = typed.split(/[\s,;]+/).flatMap((word) => word.replace(/^@/, '') || []);
      return client.admin.people.setRegistration.mutate({ mode: picked, allowedDomains: domains, version });
    },
    changed: {
      invalidate: () => Promise.all([admin.people.registration.invalidate(), endpoints.startup.invalidate()]),
    },
    onSaved: () => showToast({ message: t('com_people_saved'), severity: 'success' }),
  });
  return (
    <SettingForm form={form} parts={['mode', 'allowedDomains']}>
      <SelectField
        label={t('com_people_mode')}
        {...form.part('mode', t(`com_people_mode_${form.values.mode}_hint`))}
        {...form.picked('mode')}
        options={MODES.map((value) => ({ value, label: t(`com_people_mode_${value}`) }))}
      />
      <TextField
        label={t('com_people_domains')}
        {...form.part('allowedDomains', t('com_people_domains_hint'))}
        {...form.typed('allowedDomains')}
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
    </SettingForm>
  );
}
