// The end of a server's services: what runs is waited for, then saved or handed over to other processes.
import type { FileServices } from './files/open-files.ts';
import { untilIdle, type OpenCalls } from './http/open-calls.ts';
import type { Accounts } from './open-accounts.ts';
import type { Base } from './open-base.ts';
import type { Replies } from './open-replies.ts';
import type { Tools } from './open-tools.ts';
import { closeInOrder, closeTogether, type ShutdownStep } from './shutdown.ts';

interface Closing {
  base: Base;
  accounts: Accounts;
  files: FileServices;
  tools: Tools;
  replies: Replies;
  processes: { openCalls: OpenCalls };
  endTasks(): Promise<unknown>;
}

/** How long replies may take to be saved after the grace, in milliseconds. */
const SAVE_MAX_MS = 2000;

/** Ends what begins answers, and the answers. Never rejects, and ends also where a step hangs. */
export async function endRuns(closing: Closing): Promise<void> {
  const { base, files, replies } = closing;
  await closeInOrder(
    [
      { name: 'tasks', close: closing.endTasks },
      { name: 'changes of administrators', close: base.endFollowing },
      { name: 'recent branches', close: replies.recentBranches.close },
      { name: 'pictures of sign-in sites', close: files.socialAvatars.close },
      repliesEnd(closing),
    ],
    base.log,
  );
}

/** Afterwards. Never rejects, and ends also where a step hangs. */
export async function closeServices({ base, accounts, files, replies, tools }: Closing): Promise<void> {
  const { log, timings } = base;
  const { mail } = accounts;
  await closeTogether(
    [
      { name: 'extraction', close: files.retrieval.close },
      { name: 'titles', close: replies.titles.close },
      { name: 'tools', close: tools.close },
      ...(mail ? [{ name: 'mail', close: mail.close, maxMs: timings.mailGraceMs }] : []),
    ],
    log,
  );
  await closeInOrder(
    [
      { name: 'event log', close: replies.generationLog.close },
      { name: 'search entries', close: replies.endedIndexer.close },
      { name: 'leases', close: replies.releaseLeases },
      { name: 'notifications', close: base.pubsub.close },
    ],
    log,
  );
}

/** Some calls wait for the end of a run, and others begin one: all are waited for together. */
function repliesEnd({ base, replies: { runs, apiCalls }, processes: { openCalls } }: Closing): ShutdownStep {
  const graceMs = base.timings.shutdownGraceMs;
  const close = async () => {
    await untilIdle(() => runs.size() + apiCalls.running.size() + openCalls.size() > 0, graceMs);
    await Promise.all([runs.close(0), apiCalls.running.close(0)]);
  };
  return { name: 'answers', close, maxMs: graceMs + SAVE_MAX_MS };
}
