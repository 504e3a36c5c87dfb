import type { ArtifactVersion } from '@parley/schema/artifacts/versions';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { settingAtom } from '../../stored-settings.ts';
import { useStartup } from '../../startup.ts';
import { hasProgram } from './can-run.ts';
import type { FrameNews } from './frame-news.ts';

/** What it told last that is worth a line. */
export type RunNote = Exclude<FrameNews, { state: 'running' | 'left' }> | { state: 'silent' };

export interface Run {
  isRunning: boolean;
  canRun: boolean;
  note: RunNote | null;
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
  const [run, setRun] = useState({ source, isOn: isAtOnce, note: null as RunNote | null });
  const current = run.source === source ? run : { source, isOn: isAtOnce, note: null };
  if (current !== run) setRun(current);
  return {
    isRunning: current.isOn && canRun,
    canRun,
    note: current.note,
    start: () => setRun({ source, isOn: true, note: null }),
    stop: () => setRun({ source, isOn: false, note: null }),
    hear: (news) => {
      if (news.state === 'running' || news.state === 'left') return;
      // The first error is the cause of the others.
      setRun((before) =>
        before.note && before.note.state !== 'link' && news.state !== 'link' ? before : { ...before, note: news },
      );
    },
    fallSilent: () => setRun({ source, isOn: false, note: { state: 'silent' } }),
  };
}
