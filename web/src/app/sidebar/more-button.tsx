import type { Convo } from '@parley/schema/convos/convos';
import { IconDots } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './convo-row.module.css';
import { IconButton } from '../../ui/icon-button.tsx';

interface ConvoMenuButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title' | 'className' | 'name'> {
  convo: Convo;
}

/** The button that opens the menu of a row. */
export function ConvoMenuButton({ convo, ...props }: ConvoMenuButtonProps) {
  const { t } = useTranslation();
  return <MoreButton name={convo.title ?? t('com_ui_new_chat')} {...props} />;
}

interface MoreButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title' | 'className' | 'name'> {
  name: string;
}

/** The same for what has this name. */
export function MoreButton({ name, ...props }: MoreButtonProps) {
  const { t } = useTranslation();
  const label = t('com_ui_more_for', { 0: name });
  return (
    <IconButton aria-haspopup="menu" {...props} label={label} className={classes.more}>
      <IconDots />
    </IconButton>
  );
}
