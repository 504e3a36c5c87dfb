// The panel next to the chat: the model and its parameters.
import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { PanelBody } from './panel-body.tsx';
import { PanelDrawer } from './panel-drawer.tsx';
import { hideSidePanelAtom, useSidePanel } from './panel-state.ts';
import { LARGEST, SMALLEST, panelWidthCss } from './panel-width.ts';
import { Resizer } from '../ui/resizer/resizer.tsx';
import classes from './side-panel.module.css';
import type { SidePanelProps } from './panel-props.ts';

/** A resizable column; on small screens a drawer over the chat. Closed, nothing is left of it. */
export function SidePanel({ chat, onPick }: SidePanelProps) {
  const panel = useSidePanel();
  const isOff = useAtomValue(hideSidePanelAtom);
  useCloseWhenNarrow();
  if (isOff) return null;
  if (panel.isNarrow) return <PanelDrawer chat={chat} onPick={onPick} />;
  return panel.isOpen && <Column chat={chat} onPick={onPick} />;
}

function Column({ chat, onPick }: SidePanelProps) {
  const { t } = useTranslation();
  const id = useId();
  const column = useRef<HTMLElement>(null);
  const { share, resize } = useSidePanel();
  return (
    <aside
      ref={column}
      id={id}
      className={classes.column}
      style={{ inlineSize: panelWidthCss(share) }}
      aria-label={t('com_sidepanel')}
      data-testid="side-panel"
    >
      <Resizer
        column={column}
        columnId={id}
        label={t('com_sidepanel_resize')}
        share={share}
        smallest={SMALLEST}
        largest={LARGEST}
        onResize={resize}
      />
      <PanelBody chat={chat} onPick={onPick} />
    </aside>
  );
}

/** A column that becomes a drawer would cover the chat unasked. */
function useCloseWhenNarrow(): void {
  const { isNarrow, hide } = useSidePanel();
  const close = useEffectEvent(hide);
  useEffect(() => {
    if (isNarrow) close();
  }, [isNarrow]);
}
