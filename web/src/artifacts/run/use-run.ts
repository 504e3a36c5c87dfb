import type { ArtifactVersion } from '@parley/schema/artifacts/versions';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { settingAtom } from '../../stored-settings.ts';
import { useStartup } from '../../startup.ts';
import { hasProgram } from './can-run.ts';
import type { FrameNews } from './frame-news.ts';

/** What went wrong. */
export type RunFault = Exclude<FrameNews, { state: 'running' | 'left' | 'link' }> | { state: 'silent' };

export interface Run {
  isRunning: boolean;
  canRun: boolean;
  fault: RunFault | null;
  /** The address of the link that was pressed last. */
  link: string | null;
  start: () => void;
  stop: () => void;
  hear: (news: FrameNews) => void;
  fallSilent: () => void;
}

/** Whether an artifact runs: when its person says so, or chose that their own always do. */
export function useRun({ kind, source, isClosed }: ArtifactVersion, isForeign: boolean): Run {
  const setting = useAtomValue(settingAtom('runArtifacts'));
  const isAllowed = useStartup()?.artifacts === undefined && setting !== 'never';
  const canRun = isAllowed && isClosed && hasProgram(kind, source);
  // Other browsers lack what closes some ways out.
  const isAtOnce = canRun && setting === 'always' && !isForeign && 'trustedTypes' in window;
  const [run, setRun] = useState(() => begin(isAtOnce));
  const current = run.source === source ? run : begin(isAtOnce);
  if (current !== run) setRun(current);
  return {
    isRunning: current.isOn && canRun,
    canRun,
    fault: current.fault,
    link: current.link,
    start: () => setRun(begin(true)),
    stop: () => setRun(begin(false)),
    hear: (news) => {
      if (news.state === 'running' || news.state === 'left') return;
      if (news.state === 'link') return setRun((before) => ({ ...before, fault: null, link: news.address }));
      // The first error is the cause of the others.
      setRun((before) => ({ ...before, fault: before.fault ?? news }));
    },
    fallSilent: () => setRun({ ...begin(false), fault: { state: 'silent' } }),
  };

  function begin(isOn: boolean): { source: string; isOn: boolean; fault: RunFault | null; link: string | null } {
    return { source, isOn, fault: null, link: null };
  }
}
