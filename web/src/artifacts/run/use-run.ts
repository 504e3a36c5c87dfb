import type { ArtifactVersion } from '@parley/schema/artifacts/versions';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { settingAtom } from '../../stored-settings.ts';
import { useStartup } from '../../startup.ts';
import { hasProgram } from './can-run.ts';
import type { EndReason } from './frame-link.ts';
import type { FrameNews } from './frame-news.ts';

/** What went wrong. */
export type RunFault = Exclude<FrameNews, { state: 'running' | 'left' | 'link' }> | { state: EndReason };

export interface Run {
  isRunning: boolean;
  /** Whether this browser keeps it from the network; null until that is known. */
  isSealed: boolean | null;
  canRun: boolean;
  fault: RunFault | null;
  /** The address of the link that was pressed last. */
  link: string | null;
  start: () => void;
  stop: () => void;
  hear: (news: FrameNews) => void;
  end: (reason: EndReason) => void;
  /** Whether it may run: by itself only what is sealed does. */
  allow: (isSealed: boolean) => boolean;
}

interface State {
  source: string;
  isOn: boolean;
  /** Its person has said so. */
  isAsked: boolean;
  isSealed: boolean | null;
  fault: RunFault | null;
  link: string | null;
}

/** Whether an artifact runs: when its person says so, or chose that their own always do. */
export function useRun({ kind, source, isClosed }: ArtifactVersion, isForeign: boolean): Run {
  const setting = useAtomValue(settingAtom('runArtifacts'));
  const isAllowed = useStartup()?.artifacts === undefined && setting !== 'never';
  const canRun = isAllowed && isClosed && hasProgram(kind, source);
  const isAtOnce = canRun && setting === 'always' && !isForeign;
  const [run, setRun] = useState(() => begin(isAtOnce));
  const current = run.source === source ? run : begin(isAtOnce);
  if (current !== run) setRun(current);
  return {
    isRunning: current.isOn && canRun,
    isSealed: current.isSealed,
    canRun,
    fault: current.fault,
    link: current.link,
    start: () => setRun({ ...begin(true), isAsked: true }),
    stop: () => setRun(begin(false)),
    hear: (news) => {
      if (news.state === 'running' || news.state === 'left') return;
      if (news.state === 'link') return setRun((before) => ({ ...before, fault: null, link: news.address }));
      // The first error is the cause of the others.
      setRun((before) => ({ ...before, fault: before.fault ?? news }));
    },
    end: (reason) => setRun({ ...begin(false), fault: { state: reason } }),
    allow: (isSealed) => {
      const isAllowedHere = isSealed || current.isAsked;
      setRun((before) => (isAllowedHere ? { ...before, isSealed } : begin(false)));
      return isAllowedHere;
    },
  };

  function begin(isOn: boolean): State {
    return { source, isOn, isAsked: false, isSealed: null, fault: null, link: null };
  }
}
