// Creates the services of a server, without the HTTP server, for main.ts and tests alike.
import { followRights } from './admin/groups/follow-rights.ts';
import { createDirectoryWatch } from './admin/people/directory-watch.ts';
import type { FollowRights } from './auth/oauth/identity-provider.ts';
import { openAssistants } from './assistants/open-assistants.ts';
import { createOpenCalls } from './http/open-calls.ts';
import { createPresence } from './http/presence.ts';
import { openAccounts } from './open-accounts.ts';
import { openBase, type ServiceParts } from './open-base.ts';
import { openReplies } from './open-replies.ts';
import { openTools } from './open-tools.ts';
import { startTasks } from './tasks.ts';
import { openFiles } from './files/open-files.ts';
import { closeServices, endRuns } from './close-services.ts';

export type Services = Awaited<ReturnType<typeof createServices>>;

/** All services: whatever is mounted takes of them those that it names. */
export type Deps = Services['deps'];

export async function createServices(from: ServiceParts) {
  const base = await openBase(from);
  const accounts = await openAccounts(base);
  const { auth, billing, budgets, limits, mail, violations } = accounts;
  const files = openFiles({ ...base, violations });
  const { stores, readPdf } = files;
  const tools = openTools({ ...base, stores, readPdf });
  const assistants = openAssistants({ ...base, ...tools });
  const replies = openReplies({ ...base, ...files, ...tools, ...assistants, billing, limits, violations });
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
