import './lazy-words.ts';
import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import type { Budget } from '@parley/schema/budget';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftAtom } from '../chat/drafts/drafts.ts';
import type { Chat } from '../chat/use-chat.ts';
import { i18n } from '../i18n.ts';
import { focusAtOnce } from '../lib/focus-at-once.ts';
import { BudgetDetails } from './budget-details.tsx';
import classes from './budget-bar.module.css';
import { BudgetMeter, percentOf } from './budget-meter.tsx';
import { useBudget } from './use-budget.ts';
import { warningOf } from './warning-of.ts';

/** How full the model's window will be when the draft is sent; what will not be seen is said beside it. */
export function BudgetBar({ chat, draft }: { chat: Chat; draft: DraftAtom }) {
  const { t } = useTranslation();
  const budget = useBudget(chat, draft);
  return (
    <>
      {/* There from the start: a screen reader speaks what is put into it. */}
      <p className={classes.warning} role="status" data-state={budget ? stateOf(budget) : undefined}>
        {budget && warningOf(budget, t)}
      </p>
      {budget && <Bar budget={budget} />}
    </>
  );
}

function Bar({ budget }: { budget: Budget }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const percent = percentOf(budget);
  const label = t('com_context_bar', { 0: percent, 1: budget.window.toLocaleString(i18n.language) });

  function change(willOpen: boolean): void {
    setOpen(willOpen);
    if (!willOpen) button.current?.focus({ preventScroll: true });
  }

  return (
    <Popover
      opened={isOpen}
      onChange={change}
      position="top-end"
      width={300}
      // It would be called after its button.
      withRoles={false}
      trapFocus
      // Mantine remembers who had the focus only when the details have it already.
      returnFocus={false}
      closeOnEscape={false}
      portalProps={{ target: 'main' }}
      // Gone at once: a late timer of Mantine's would take the focus into what is still fading.
      transitionProps={{ duration: 120, exitDuration: 0 }}
      classNames={{ dropdown: classes.dropdown }}
    >
      <Popover.Target>
        <button
          ref={button}
          type="button"
          className={classes.button}
          data-testid="context-bar"
          aria-label={label}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          title={label}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !isOpen) return;
            event.stopPropagation();
            setOpen(false);
          }}
        >
          <BudgetMeter budget={budget} />
          <span className={classes.percent} aria-hidden>
            {percent}%
          </span>
        </button>
      </Popover.Target>
      <Popover.Dropdown
        ref={focusAtOnce}
        role="dialog"
        aria-label={t('com_context_title')}
        onKeyDown={({ key }) => key === 'Escape' && change(false)}
      >
        <BudgetDetails budget={budget} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** How bad it is, for the colour. */
function stateOf({ fits, omitted, summary }: Budget): 'full' | 'cut' | 'roomy' {
  if (!fits) return 'full';
  return omitted > 0 && !summary ? 'cut' : 'roomy';
}
