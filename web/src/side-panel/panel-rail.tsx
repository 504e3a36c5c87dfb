import { IconAdjustmentsHorizontal, IconLayoutSidebarRightExpand, IconPaperclip } from '@tabler/icons-react';
import { useSetAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { EndpointIcon } from '../endpoints/endpoint-icons.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { FOCUS, focusAfterRender } from './focus-after-render.ts';
import { activeEntryAtom, FILES, PARAMETERS, useSidePanel } from './panel-state.ts';
import classes from './side-panel.module.css';
import type { SidePanelProps } from './panel-props.ts';

/** The collapsed panel: its sections as buttons that open it. */
export function PanelRail({ chat }: Pick<SidePanelProps, 'chat'>) {
  const { t } = useTranslation();
  const { modelTarget } = chat;
  const { open } = useSidePanel();
  const setActive = useSetAtom(activeEntryAtom);

  function openPanel(): void {
    open();
    focusAfterRender(FOCUS.open);
  }

  function openAt(entry: string): void {
    setActive(entry);
    openPanel();
  }

  return (
    <div className={classes.rail}>
      <IconButton label={t('com_sidepanel_open')} {...{ [FOCUS.shut]: '' }} onClick={openPanel}>
        <IconLayoutSidebarRightExpand aria-hidden />
      </IconButton>
      {modelTarget && (
        <IconButton
          label={t('com_sidepanel_model', { 0: modelTarget.model ?? modelTarget.endpoint })}
          onClick={openPanel}
        >
          <EndpointIcon {...modelTarget} size="small" />
        </IconButton>
      )}
      <IconButton label={t('com_params')} onClick={() => openAt(PARAMETERS)}>
        <IconAdjustmentsHorizontal aria-hidden />
      </IconButton>
      <IconButton label={t('com_files_attach')} onClick={() => openAt(FILES)}>
        <IconPaperclip aria-hidden />
      </IconButton>
    </div>
  );
}
