import { IconAdjustmentsHorizontal, IconEyeOff, IconLayoutSidebarRight } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { EndpointMark } from '../endpoints/marks.tsx';
import { IconButton } from '../shell/icon-button.tsx';
import { FOCUS, focusSoon } from './focus-soon.ts';
import { activeEntryAtom, PARAMETERS, useSidePanel } from './panel-state.ts';
import type { SidePanelProps } from './side-panel.tsx';
import classes from './side-panel.module.css';

/** The collapsed panel: its entries as buttons, which open it. */
export function PanelRail({ chat: { addressee } }: Pick<SidePanelProps, 'chat'>) {
  const { t } = useTranslation();
  const { open, hide } = useSidePanel();
  const setActive = useSetAtom(activeEntryAtom);

  function openPanel(): void {
    open();
    focusSoon(FOCUS.open);
  }

  return (
    <div className={classes.rail}>
      <IconButton label={t('com_sidepanel_open')} {...{ [FOCUS.shut]: '' }} onClick={openPanel}>
        <IconLayoutSidebarRight aria-hidden />
      </IconButton>
      {addressee && (
        <IconButton label={t('com_sidepanel_model', { 0: addressee.model ?? addressee.endpoint })} onClick={openPanel}>
          <EndpointMark {...addressee} size="small" />
        </IconButton>
      )}
      <IconButton
        label={t('com_params')}
        onClick={() => {
          setActive(PARAMETERS);
          openPanel();
        }}
      >
        <IconAdjustmentsHorizontal aria-hidden />
      </IconButton>
      <IconButton
        label={t('com_sidepanel_hide')}
        onClick={() => {
          hide();
          focusSoon(FOCUS.hidden);
        }}
      >
        <IconEyeOff aria-hidden />
      </IconButton>
    </div>
  );
}
