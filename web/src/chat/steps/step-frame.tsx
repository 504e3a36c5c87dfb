import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import look from '../message/tool-call.module.css';
import classes from './step.module.css';

interface StepFrameProps {
  /** The sign before the sentence, in its box. */
  sign: ReactNode;
  sentence: string;
  /** How long it took; empty where nothing was measured. */
  took?: string;
  hasFailed: boolean;
  isOpen: boolean;
  onToggle: () => void;
  /** What it unfolds to, while it is open. */
  children: ReactNode;
}

/** A step in one line that unfolds. */
export function StepFrame({ sign, sentence, took = '', hasFailed, isOpen, onToggle, children }: StepFrameProps) {
  return (
    <details className={look.call} data-state={hasFailed ? 'failed' : undefined} open={isOpen}>
      {/* The state decides whether it is open, not the element. */}
      <summary
        className={look.summary}
        onClick={(event) => {
          event.preventDefault();
          onToggle();
        }}
      >
        <span className={look.statusIcon}>{sign}</span>
        <span className={classes.sentence} dir="auto">
          {sentence}
          {took && <span className={classes.duration}> · {took}</span>}
        </span>
        <IconChevronRight className={classes.chevron} aria-hidden />
      </summary>
      {isOpen && children}
    </details>
  );
}

/** A step that has nothing to unfold. */
export function StepLine({ sign, sentence, hasFailed }: Pick<StepFrameProps, 'sign' | 'sentence' | 'hasFailed'>) {
  return (
    <div className={look.call} data-state={hasFailed ? 'failed' : undefined}>
      <div className={look.summary} data-flat>
        <span className={look.statusIcon}>{sign}</span>
        <span className={classes.sentence} dir="auto">
          {sentence}
        </span>
      </div>
    </div>
  );
}
