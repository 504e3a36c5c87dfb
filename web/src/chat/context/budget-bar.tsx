import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import type { Budget } from '@parley/schema/chat/budget';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../lib/format-number.ts';
import type { AttachmentsAtom } from '../drafts/draft-attachments.ts';
import type { DraftAtom } from '../drafts/draft-store.ts';
import type { Chat } from '../use-chat.ts';
import { i18n } from '../../i18n.ts';
import { focusOnOpen } from '../../ui/menu/focus-on-open.ts';
import { BudgetDetails } from './budget-details.tsx';
import classes from './budget-bar.module.css';
import { BudgetMeter, usedPercent } from './budget-meter.tsx';
import { useBudget } from './use-budget.ts';
import { budgetWarning } from './budget-warning.ts';

interface BudgetBarProps {
  chat: Chat;
  draft: DraftAtom;
  attachments: AttachmentsAtom;
}

/** How full the context window will be with the draft, and what will be omitted. */
export function BudgetBar({ chat, draft, attachments }: BudgetBarProps) {
  const { t } = useTranslation();
  const budget = useBudget(chat, draft, attachments);
  return (
    <>
      {/* Always mounted: a screen reader announces only changes of an existing live region. */}
      <p className={classes.warning} role="status" data-state={budget ? stateOf(budget) : undefined}>
        {budget && budgetWarning(budget, t)}
      </p>
      {budget && <Bar budget={budget} />}
    </>
  );
}

function Bar({ budget }: { budget: Budget }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const used = formatPercent(usedPercent(budget) / 100, i18n.language);
  const label = t('com_context_bar', { 0: used, 1: budget.window.toLocaleString(i18n.language) });

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
      // With roles, the dialog would take the button's name.
      withRoles={false}
      trapFocus
      // Mantine stores the focus to restore only after the popover has taken it.
      returnFocus={false}
      closeOnEscape={false}
      portalProps={{ target: 'main' }}
      // No exit animation: Mantine's late timer would move the focus into the fading popover.
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
          data-tooltip={label}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !isOpen) return;
            event.stopPropagation();
            setOpen(false);
          }}
        >
          <BudgetMeter budget={budget} />
          <span className={classes.percent} aria-hidden>
            {used}
          </span>
        </button>
      </Popover.Target>
      <Popover.Dropdown
        ref={focusOnOpen}
        role="dialog"
        aria-label={t('com_context_title')}
        onKeyDown={({ key }) => key === 'Escape' && change(false)}
      >
        <BudgetDetails budget={budget} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The severity, for the colour. */
function stateOf({ fits, omitted, summary }: Budget): 'full' | 'cut' | 'roomy' {
  if (!fits) return 'full';
  return omitted > 0 && !summary ? 'cut' : 'roomy';
}
