// The table of REST routes: each file of `routes/` has those of its domain, with their handlers.
import { absentRoutes } from './routes/absent.ts';
import { accountRoutes } from './routes/accounts.ts';
import { actionRoutes } from './routes/assistant-actions.ts';
import { assistantChatRoutes } from './routes/assistant-chat.ts';
import { assistantRoutes, oneAssistantRoutes } from './routes/assistants.ts';
import { catalogueRoutes } from './routes/catalogue.ts';
import { convoRoutes } from './routes/convos.ts';
import { copyRoutes } from './routes/copies.ts';
import { fileRoutes } from './routes/files.ts';
import { keyRoutes } from './routes/keys.ts';
import { messageRoutes } from './routes/messages.ts';
import { pluginRoutes } from './routes/plugins.ts';
import { presetRoutes } from './routes/presets.ts';
import { promptRoutes } from './routes/prompts.ts';
import { searchRoutes } from './routes/search.ts';
import { secondFactorRoutes } from './routes/second-factors.ts';
import { shareRoutes } from './routes/shares.ts';
import { tagRoutes } from './routes/tags.ts';
import type { Route } from './route.ts';

const ofAssistants: Route[] = [...assistantRoutes, ...actionRoutes, ...assistantChatRoutes, ...oneAssistantRoutes];

/** Clients of 0.7.5 name the version of the protocol, of which both have the same paths. */
const ofVersions = ['v1', 'v2'].flatMap((version) =>
  ofAssistants.map((route) => ({
    ...route,
    path: route.path.replace(/^\/api\/assistants/, `/api/assistants/${version}`),
  })),
);

/** All routes except those for asking, which `ask-rows.ts` makes from the providers. */
export const routes: Route[] = [
  ...accountRoutes,
  ...secondFactorRoutes,
  ...catalogueRoutes,
  ...pluginRoutes,
  ...absentRoutes,
  ...promptRoutes,
  ...presetRoutes,
  ...fileRoutes,
  ...keyRoutes,
  // Before those whose first part is the id of an assistant.
  ...ofVersions,
  ...ofAssistants,
  ...searchRoutes,
  ...convoRoutes,
  ...copyRoutes,
  ...tagRoutes,
  ...shareRoutes,
  ...messageRoutes,
];
