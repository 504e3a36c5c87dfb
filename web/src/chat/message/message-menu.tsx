import { IconDots } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages';
import { useState, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Arriving } from '../../lib/arriving.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import { IconButton } from '../../shell/icon-button.tsx';

const menu = lazyScreen(async () => (await import('./message-menu-rows.tsx')).OpenMessageMenu, 'ahead');

interface MessageMenuProps {
  message: Message;
  className: string | undefined;
}

/** What is done to a message less often. The menu itself is fetched when a hand comes near. */
export function MessageMenu({ message, className }: MessageMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const button = { className, onPointerEnter: menu.preload, onFocus: menu.preload };
  if (!isWanted) return <MenuButton {...button} aria-expanded={false} onClick={() => setWanted(true)} />;
  return (
    <Arriving fallback={<MenuButton {...button} aria-expanded />} onFailure={() => setWanted(false)}>
      <menu.Screen message={message} className={className} />
    </Arriving>
  );
}

export function MenuButton(props: Omit<ComponentProps<'button'>, 'aria-label' | 'title' | 'children'>) {
  const { t } = useTranslation();
  return (
    <IconButton label={t('com_ui_more')} aria-haspopup="menu" {...props}>
      <IconDots aria-hidden />
    </IconButton>
  );
}
