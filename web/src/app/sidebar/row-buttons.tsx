import { useState } from 'react';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';
import classes from './convo-row.module.css';
import { ConvoMenuButton } from './more-button.tsx';
import type { RowMenuProps } from './row-menu.tsx';

const menu = lazyScreen(async () => (await import('./row-menu.tsx')).OpenRowMenu, 'ahead');

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
          <menu.Screen {...row} />
        </LazyBoundary>
      ) : (
        <ConvoMenuButton
          convo={convo}
          aria-expanded={false}
          onPointerEnter={menu.preload}
          onFocus={menu.preload}
          onClick={onAsk}
        />
      )}
    </div>
  );
}
