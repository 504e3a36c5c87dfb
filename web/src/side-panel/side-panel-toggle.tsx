import { IconLayoutSidebarRight } from '@tabler/icons-react';
import { useAtomValue } from 'jotai';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/icon-button.tsx';
import { FOCUS, focusAfterRender } from './focus-after-render.ts';
import { hideSidePanelAtom, useSidePanel } from './panel-state.ts';

/** For the header: shows and hides the panel. */
export function SidePanelToggle() {
  const { t } = useTranslation();
  const { isHidden, isNarrow, open, hide } = useSidePanel();
  const isOff = useAtomValue(hideSidePanelAtom);
  if (isOff) return null;

  function toggle(): void {
    if (!isHidden) return hide();
    open();
    if (!isNarrow) focusAfterRender(FOCUS.open);
  }

  return (
    <IconButton
      label={isHidden ? t('com_sidepanel_show') : t('com_sidepanel_hide')}
      aria-haspopup={isNarrow ? 'dialog' : undefined}
      aria-expanded={isNarrow ? undefined : !isHidden}
      {...{ [FOCUS.hidden]: '' }}
      onClick={toggle}
    >
      <IconLayoutSidebarRight aria-hidden />
    </IconButton>
  );
}
