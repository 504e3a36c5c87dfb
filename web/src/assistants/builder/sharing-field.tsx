import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './builder.module.css';
import type { Builder } from './use-builder.ts';

/** Whether everybody of the installation may use the assistant, and what that gives away. */
export function SharingField({ builder: { form, change } }: { builder: Builder }) {
  const { t } = useTranslation();
  return (
    <Switch
      classNames={{ body: classes.switch, description: classes.help }}
      label={t('com_assistants_share')}
      description={t('com_assistants_share_about')}
      labelPosition="left"
      checked={form.isShared}
      onChange={({ currentTarget }) => change({ isShared: currentTarget.checked })}
    />
  );
}
