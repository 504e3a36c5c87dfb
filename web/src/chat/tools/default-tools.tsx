import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Switch.css';
import { Switch } from '@mantine/core';
import { useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { defaultToolsAtom } from '../../catalog/default-tools.ts';
import { describeError } from '../../errors/describe-error.ts';
import { api } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './tools-menu.module.css';

/** Whether new chats begin with the tools that are on. Nothing where none are, in this chat and in new ones. */
export function DefaultTools({ chosen }: { chosen: readonly string[] }) {
  const { t } = useTranslation();
  const [defaults, setDefaults] = useAtom(defaultToolsAtom);
  const areSame = defaults.length === chosen.length && chosen.every((key) => defaults.includes(key));
  if (chosen.length === 0 && areSame) return null;

  async function keep(keys: readonly string[]): Promise<void> {
    setDefaults(keys);
    try {
      await api.settings.set.mutate({ defaultTools: keys.length > 0 ? [...keys] : null });
    } catch (error) {
      setDefaults(defaults);
      showToast({ message: describeError(error, t), severity: 'error' });
    }
  }

  return (
    <Switch
      classNames={{ root: classes.defaults, body: classes.defaultsBody, label: classes.defaultsLabel }}
      label={chosen.length === 0 ? t('com_tools_default_none') : t('com_tools_default')}
      labelPosition="left"
      checked={areSame}
      onChange={({ currentTarget }) => void keep(currentTarget.checked ? chosen : [])}
    />
  );
}
