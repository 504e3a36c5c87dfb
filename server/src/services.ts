// Creates the services of a server, without the HTTP server, for main.ts and tests alike.
import { followRights } from './admin/groups/follow-rights.ts';
import { createDirectoryWatch } from './admin/people/directory-watch.ts';
import { openAssistants } from './assistants/open-assistants.ts';
import type { Deps } from './deps.ts';
import { createOpenCalls } from './http/open-calls.ts';
import { createPresence } from './http/presence.ts';
import { openAccounts } from './open-accounts.ts';
import { openBase, type ServiceParts } from './open-base.ts';
import { openReplies } from './open-replies.ts';
import { openTools } from './open-tools.ts';
import { startTasks } from './tasks.ts';
import { openFiles } from './files/open-files.ts';
import { closeServices, endRuns } from './close-services.ts';

export interface Services {
  deps: Deps;
  /** Waits for runs and calls for the grace, and hands over the rest. */
  endReplies(): Promise<void>;
  /** Ends answers, and all else. */
  close(): Promise<void>;
}

export async function createServices(from: ServiceParts): Promise<Services> {
  const base = await openBase(from);
  const accounts = await openAccounts(base);
  const files = openFiles({ ...base, ...accounts });
  const tools = openTools({ ...base, ...files });
  const assistants = openAssistants({ ...base, ...tools });
  const replies = openReplies({ ...base, ...accounts, ...files, ...tools, ...assistants });
  const follow: Deps['followRights'] = (user, rights, by) =>
    followRights({ ...base, ...tools, ...accounts }, user, rights, by);
  const openCalls = createOpenCalls();
  const presence = createPresence({ ...base, ...accounts });
  const directoryWatch = createDirectoryWatch({ ...base, ...accounts });
  const endTasks = startTasks({ ...base, ...accounts, ...files, ...replies, directoryWatch });
  const closing = { ...base, ...accounts, ...files, ...replies, openCalls, closeTools: tools.close, endTasks };
  let repliesEnded: Promise<void> | undefined;
  const endReplies = () => (repliesEnded ??= endRuns(closing));
  return {
    deps: {
      ...base,
      ...accounts,
      ...files,
      ...tools,
      ...assistants,
      ...replies,
      openCalls,
      presence,
      followRights: follow,
      directoryWatch,
    },
    endReplies,
    close: () => endReplies().then(() => closeServices(closing)),
  };
}
