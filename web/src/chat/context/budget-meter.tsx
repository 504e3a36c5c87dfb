import type { Budget } from '@parley/schema/chat/budget';
import classes from './budget-meter.module.css';

/** A thin bar of the context window: the input from the start, the reserve for the reply at the end. */
export function BudgetMeter({ budget }: { budget: Budget }) {
  const { window, reserve, instructions, history, question, summary, fits } = budget;
  const around = instructions + history + (summary?.tokens ?? 0);
  return (
    <span className={classes.meter} data-full={!fits || undefined} aria-hidden>
      <span className={classes.around} style={{ inlineSize: shareOf(around, window) }} />
      <span className={classes.question} style={{ inlineSize: shareOf(question, window) }} />
      <span className={classes.reserve} style={{ inlineSize: shareOf(reserve, window) }} />
    </span>
  );
}

/** Percentage of the window in use, including the reserve for the reply; at 100 nothing more fits. */
export function usedPercent({ window, reserve, instructions, history, question, summary }: Budget): number {
  const used = instructions + history + question + (summary?.tokens ?? 0);
  return Math.min(100, Math.round((100 * used) / Math.max(1, window - reserve)));
}

function shareOf(tokens: number, window: number): string {
  return `${Math.min(100, (100 * tokens) / window)}%`;
}
