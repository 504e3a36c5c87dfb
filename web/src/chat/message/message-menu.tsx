import { IconDots } from '@tabler/icons-react';
import type { Message } from '@parley/schema/messages';
import { lazy, Suspense, useState, type ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../shell/icon-button.tsx';

const loadRows = () => import('./message-menu-rows.tsx');
const OpenMessageMenu = lazy(() => loadRows().then(({ OpenMessageMenu }) => ({ default: OpenMessageMenu })));
const preload = () => void loadRows().catch(() => {});

interface MessageMenuProps {
  message: Message;
  className: string | undefined;
}

/** What is done to a message less often. The menu itself is fetched when a hand comes near. */
export function MessageMenu({ message, className }: MessageMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const button = { className, onPointerEnter: preload, onFocus: preload };
  if (!isWanted) return <MenuButton {...button} aria-expanded={false} onClick={() => setWanted(true)} />;
  return (
    <Suspense fallback={<MenuButton {...button} aria-expanded />}>
      <OpenMessageMenu message={message} className={className} />
    </Suspense>
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
