// The tables of what people own, by their names. all-tables.ts adds those of accounts and of the installation.
import * as access from './tables/sharing/access.ts';
import * as assistants from './tables/assistants.ts';
import * as automation from './automation-tables.ts';
import * as convos from './tables/convos.ts';
import * as deletions from './tables/deletions.ts';
import * as documents from './tables/documents.ts';
import * as drafts from './tables/drafts.ts';
import * as files from './tables/files.ts';
import * as folders from './tables/folders.ts';
import * as generations from './tables/generations.ts';
import * as messages from './tables/messages.ts';
import * as presets from './tables/presets.ts';
import * as prompts from './tables/prompts.ts';
import * as search from './tables/search.ts';
import * as shares from './tables/shares.ts';

export const ownedTables = {
  ...access,
  ...assistants,
  ...automation,
  ...convos,
  ...deletions,
  ...documents,
  ...drafts,
  ...files,
  ...folders,
  ...generations,
  ...messages,
  ...presets,
  ...prompts,
  ...search,
  ...shares,
};
