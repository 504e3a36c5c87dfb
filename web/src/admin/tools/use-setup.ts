import type { ToolTried } from '@parley/schema/tools/tool-settings';
import { useState } from 'react';
import { trpc } from '../../trpc.ts';

interface Calls {
  /** False where something is missing, which is marked. */
  check: () => boolean;
  attempt: () => Promise<ToolTried>;
  save: () => Promise<unknown>;
  onSaved: () => void;
}

/** Tries and saves what is written into a form: one at a time, and what fails is said in the form. */
export function useSetup({ check, attempt, save, onSaved }: Calls) {
  const [running, setRunning] = useState<'try' | 'save' | null>(null);
  const [tried, setTried] = useState<ToolTried | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const { tools, audit } = trpc.useUtils().admin;

  async function run(what: 'try' | 'save', call: () => Promise<void>): Promise<void> {
    if (running !== null || !check()) return;
    forget();
    setRunning(what);
    await call().catch(setFailure);
    setRunning(null);
  }

  function forget(): void {
    setTried(null);
    setFailure(null);
  }

  return {
    running,
    tried,
    failure,
    forget,
    tryIt: () => void run('try', async () => setTried(await attempt())),
    saveIt: () =>
      void run('save', async () => {
        await save();
        await Promise.all([tools.list.invalidate(), audit.invalidate()]);
        onSaved();
      }),
  };
}
