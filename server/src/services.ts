// Creates the services of a server, without the HTTP server, for main.ts and tests alike.
import { followRights } from './admin/groups/follow-rights.ts';
import { createDirectoryWatch } from './admin/people/directory-watch.ts';
import type { FollowRights } from './auth/oauth/identity-provider.ts';
import { openAssistants } from './assistants/open-assistants.ts';
import { createOpenCalls, untilIdle, type OpenCalls } from './http/open-calls.ts';
import { createPresence } from './http/presence.ts';
import { openAccounts, type Accounts } from './open-accounts.ts';
import { openBase, type ServiceParts, type Base } from './open-base.ts';
import { openReplies, type Replies } from './open-replies.ts';
import { openTools, type Tools } from './open-tools.ts';
import { startTasks } from './tasks.ts';
import { storePublicSwitch } from './folders/source-folder.ts';
import { openFiles, type FileServices } from './files/open-files.ts';
import { closeInOrder, closeTogether, type ShutdownStep } from './shutdown.ts';

/** How long replies may take to be saved after the grace, in milliseconds. */
const SAVE_MAX_MS = 2000;

export type Services = Awaited<ReturnType<typeof createServices>>;

/** All services: whatever is mounted takes of them those that it names. */
export type Deps = Services['deps'];

export async function createServices(from: ServiceParts) {
  const base = await openBase(from);
  await storePublicSwitch(base.db, base.config.accounts.publicSharedProjects);
  const accounts = await openAccounts(base);
  const { auth, budgets, mail, violations } = accounts;
  const files = openFiles({ ...base, violations });
  const { stores, readPdf } = files;
  const tools = openTools({ ...base, stores, readPdf });
  const assistants = openAssistants({ ...base, ...tools });
  const replies = openReplies({ ...base, ...accounts, ...files, ...tools, ...assistants });
  const processes = {
    openCalls: createOpenCalls(),
    presence: createPresence({ ...base, mail }),
    directoryWatch: createDirectoryWatch({ ...base, auth }),
    followRights: (...change: Parameters<FollowRights>) => followRights({ ...base, budgets }, ...change),
  };
  const endTasks = startTasks({ ...base, ...replies, ...processes, budgets, stores });
  const closing = { base, accounts, files, tools, replies, processes, endTasks };
  let repliesEnded: Promise<void> | undefined;
  /** Waits for runs and calls for the grace, and hands over the rest. */
  const endReplies = () => (repliesEnded ??= endRuns(closing));
  return {
    deps: {
      ...base,
      ...accounts,
      ...files,
      ...tools,
      ...assistants,
      ...replies,
      ...processes,
    },
    endReplies,
    /** Ends answers, and all else. */
    close: () => endReplies().then(() => closeServices(closing)),
  };
}

// The end of a server's services: what runs is waited for, then saved or handed over to other processes.
interface Closing {
  base: Base;
  accounts: Accounts;
  files: FileServices;
  tools: Tools;
  replies: Replies;
  processes: { openCalls: OpenCalls };
  endTasks(): Promise<unknown>;
}

/** Ends what begins answers, and the answers. Never rejects, and ends also where a step hangs. */
async function endRuns(closing: Closing): Promise<void> {
  const { accounts, base, files, replies } = closing;
  await closeInOrder(
    [
      { name: 'tasks', close: closing.endTasks },
      { name: 'changes of administrators', close: base.endFollowing },
      { name: 'recent branches', close: replies.recentBranches.close },
      { name: 'pictures of sign-in sites', close: files.socialAvatars.close },
      repliesEnd(closing),
      { name: 'notices', close: accounts.notices.close },
    ],
    base.log,
  );
}

/** Afterwards. Never rejects, and ends also where a step hangs. */
async function closeServices({ base, accounts, files, replies, tools }: Closing): Promise<void> {
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
