import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { effortName } from '../../params/effort.ts';
import type { ChatEffort } from './use-effort.ts';

/** Menu rows: the levels of effort as one choice. */
export function EffortRows({ effort }: { effort: ChatEffort }) {
  const { t, i18n } = useTranslation();
  return (
    <Menu.RadioGroup value={String(effort.chosen)} onChange={effort.choose}>
      <Menu.Label>{t('com_composer_effort')}</Menu.Label>
      {effort.levels.map((level) => (
        <Menu.RadioItem key={level} value={level} closeMenuOnClick>
          {effortName(level, t, i18n.language)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
