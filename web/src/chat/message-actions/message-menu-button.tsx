import { IconDots } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';

export function MenuButton(props: Omit<ComponentProps<'button'>, 'aria-label' | 'title' | 'children'>) {
  const { t } = useTranslation();
  return (
    <IconButton label={t('com_ui_more')} aria-haspopup="menu" {...props}>
      <IconDots aria-hidden />
    </IconButton>
  );
}
