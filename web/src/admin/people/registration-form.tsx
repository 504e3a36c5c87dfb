import type { RegistrationSetting } from '@parley/schema/accounts/people';
import type { RegistrationMode } from '@parley/schema/accounts/registration';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../auth/failure-alert.tsx';
import { describeError } from '../../errors/describe-error.ts';
import { describeChangeError } from '../use-admin-action.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './people.module.css';

const MODES: readonly RegistrationMode[] = ['open', 'approval', 'invitation', 'closed'];

/** Who may register. What the environment or the configuration file decides is shown, and cannot be changed. */
export function RegistrationForm() {
  const { t } = useTranslation();
  const titleId = useId();
  const { data, error } = trpc.admin.people.registration.useQuery(undefined, { refetchOnMount: 'always' });
  return (
    <section className={classes.block} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {t('com_people_registration')}
      </h2>
      <FailureAlert sentence={error && describeError(error, t)} />
      {/* What somebody else has saved takes the place of what is being changed here. */}
      {data && <Fields key={data.version} setting={data} />}
    </section>
  );
}

function Fields({ setting }: { setting: RegistrationSetting }) {
  const { t } = useTranslation();
  const { isModeFixed, areDomainsFixed, version } = setting;
  const [mode, setMode] = useState(setting.mode);
  const [domains, setDomains] = useState(setting.allowedDomains.join(' '));
  const { admin, endpoints } = trpc.useUtils();
  const save = trpc.admin.people.setRegistration.useMutation({
    onSuccess: () => showToast({ message: t('com_people_saved'), severity: 'success' }),
    onError: (error) => showToast({ message: describeChangeError(error, t), severity: 'error' }),
    onSettled: () =>
      Promise.all([admin.people.registration.invalidate(), admin.audit.invalidate(), endpoints.startup.invalidate()]),
  });
  const isChanged = mode !== setting.mode || domains.trim() !== setting.allowedDomains.join(' ');

  function submit(event: FormEvent): void {
    event.preventDefault();
    const allowedDomains = domains.split(/[\s,;]+/).flatMap((word) => word.replace(/^@/, '') || []);
    if (!save.isPending) save.mutate({ mode, allowedDomains, version });
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <SelectField
        label={t('com_people_mode')}
        description={isModeFixed ? t('com_people_mode_fixed') : t(`com_people_mode_${mode}_hint`)}
        value={mode}
        options={MODES.map((value) => ({ value, label: t(`com_people_mode_${value}`) }))}
        onChange={setMode}
        disabled={isModeFixed}
      />
      <TextField
        label={t('com_people_domains')}
        description={areDomainsFixed ? t('com_people_domains_fixed') : t('com_people_domains_hint')}
        value={domains}
        onChange={({ currentTarget }) => setDomains(currentTarget.value)}
        disabled={areDomainsFixed}
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      {!(isModeFixed && areDomainsFixed) && (
        <div>
          <BusyButton type="submit" isBusy={save.isPending} disabled={!isChanged}>
            {t('com_ui_save')}
          </BusyButton>
        </div>
      )}
    </form>
  );
}
