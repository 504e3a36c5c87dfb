import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '../ui/busy-button.tsx';
import classes from './admin.module.css';
import { useAdminForm } from './admin-form.tsx';

type FormOptions<Values extends object> = Parameters<typeof useAdminForm<Values>>[0];

interface SettingOptions<Values extends object> extends FormOptions<Values> {
  /** What the environment (the name of its variable) or the configuration file (null) decides, by part. */
  fixed: Readonly<Record<string, string | null>>;
}

/** The form of a setting of the server: what is decided elsewhere is shown, and cannot be changed. */
export function useSettingForm<Values extends Record<string, string>>({ fixed, ...options }: SettingOptions<Values>) {
  const { t } = useTranslation();
  const form = useAdminForm(options);
  const { initial } = options;
  const names = Object.keys(initial);
  return {
    ...form,
    isChanged: names.some((name) => form.values[name]?.trim() !== initial[name]),
    isFixed: (parts: readonly string[]) => parts.every((part) => part in fixed),
    /** The props that a field has of a part, which `hint` explains. */
    part(name: string, hint: string) {
      const variable = fixed[name];
      const decided =
        variable === null ? t('com_people_domains_fixed') : t('com_retention_fixed', { 0: variable ?? '' });
      return { disabled: name in fixed, description: name in fixed ? decided : hint };
    },
  };
}

interface SettingFormProps {
  form: Pick<ReturnType<typeof useSettingForm>, 'submit' | 'isBusy' | 'isChanged' | 'isFixed'>;
  /** All that can be changed, where it is not fixed. */
  parts: readonly string[];
  children: ReactNode;
}

export function SettingForm({ form: { submit, isBusy, isChanged, isFixed }, parts, children }: SettingFormProps) {
  const { t } = useTranslation();
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      {children}
      {!isFixed(parts) && (
        <div>
          <BusyButton type="submit" isBusy={isBusy} disabled={!isChanged}>
            {t('com_ui_save')}
          </BusyButton>
        </div>
      )}
    </form>
  );
}
