import type { Convo } from '@parley/schema/convos/convos';
import { IconDots } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './convo-row.module.css';
import { IconButton } from '../../ui/icon-button.tsx';

interface ConvoMenuButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title' | 'className'> {
  convo: Convo;
}

/** The button that opens the menu of a row. */
export function ConvoMenuButton({ convo, ...props }: ConvoMenuButtonProps) {
  const { t } = useTranslation();
  const label = t('com_ui_more_for', { 0: convo.title ?? t('com_ui_new_chat') });
  return (
    <IconButton aria-haspopup="menu" {...props} label={label} className={classes.more}>
      <IconDots />
    </IconButton>
  );
}
