import '../../locales/load/landing.ts';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { allowedSwitches, type Switchable } from './builder-form.ts';
import classes from './builder.module.css';
import type { Builder } from './use-builder.ts';

const ALL: readonly Switchable[] = ['code_interpreter', 'retrieval', 'image_vision'];

/** The capabilities that the operator leaves on. Retrieval is off for models that cannot search files. */
export function Capabilities({ builder: { form, change, capabilities, retrievalModels } }: { builder: Builder }) {
  const { t } = useTranslation();
  const offered = ALL.filter((one) => capabilities.includes(one));
  const allowed = allowedSwitches(form, retrievalModels);
  const labels: Record<Switchable, string> = {
    code_interpreter: t('com_assistants_code'),
    retrieval: t('com_assistants_retrieval'),
    image_vision: t('com_assistants_vision'),
  };
  if (offered.length === 0) return null;
  return (
    <fieldset className={`${classes.group} ${classes.switches}`}>
      <legend className={classes.label}>{t('com_ui_capabilities')}</legend>
      {offered.map((one) => {
        const isOff = one === 'retrieval' && !retrievalModels.includes(form.model);
        return (
          <Switch
            key={one}
            classNames={{ body: classes.switch }}
            label={labels[one]}
            description={isOff ? t('com_assistants_retrieval_off', { 0: form.model }) : undefined}
            labelPosition="left"
            checked={allowed[one]}
            disabled={isOff}
            onChange={({ currentTarget }) => change({ switches: { ...form.switches, [one]: currentTarget.checked } })}
          />
        );
      })}
    </fieldset>
  );
}
