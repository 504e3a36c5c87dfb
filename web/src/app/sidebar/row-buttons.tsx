import { useState } from 'react';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import classes from './convo-row.module.css';
import { ConvoMenuButton } from './more-button.tsx';
import type { RowMenuProps } from './row-menu.tsx';
import { rowMenu } from '../lazy/lazy-menus.ts';

interface RowButtonsProps extends RowMenuProps {
  /** How many times the menu was asked for; each opens it anew. */
  asked: number;
  onAsk: () => void;
}

/** The button of a conversation's menu. */
export function RowButtons({ asked, onAsk, ...row }: RowButtonsProps) {
  const [failed, setFailed] = useState(0);
  const { convo } = row;
  return (
    <div className={classes.tools}>
      {asked > failed ? (
        <LazyBoundary
          key={asked}
          fallback={<ConvoMenuButton convo={convo} aria-expanded />}
          onFailure={() => setFailed(asked)}
        >
          <rowMenu.Screen {...row} />
        </LazyBoundary>
      ) : (
        <ConvoMenuButton
          convo={convo}
          aria-expanded={false}
          onPointerEnter={rowMenu.preload}
          onFocus={rowMenu.preload}
          onClick={onAsk}
        />
      )}
    </div>
  );
}
