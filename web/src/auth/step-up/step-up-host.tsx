import { useEffect, useState } from 'react';
import { answerStepUps, type StepUpNeeded } from '../../session/step-up.ts';
import { StepUpDialog } from './step-up-dialog.tsx';

interface Asked {
  needed: StepUpNeeded;
  answer: (isProven: boolean) => void;
}

/** Asks who one is, for the calls of the room around it. */
export function StepUpHost() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => answerStepUps((needed) => new Promise((answer) => setAsked({ needed, answer }))), []);
  // The room may close first.
  useEffect(() => () => asked?.answer(false), [asked]);
  if (!asked) return null;

  function end(isProven: boolean): void {
    asked?.answer(isProven);
    setAsked(null);
  }

  return <StepUpDialog needed={asked.needed} onProven={() => end(true)} onClose={() => end(false)} />;
}
