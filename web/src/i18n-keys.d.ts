// Makes a misspelt translation key a type error. Each feature's translations are in their own file.
import type account from './locales/en-US/account.json';
import type admin from './locales/en-US/admin.json';
import type adminProviders from './locales/en-US/admin-providers.json';
import type adminOverview from './locales/en-US/admin-overview.json';
import type adminGroups from './locales/en-US/admin-groups.json';
import type adminPeople from './locales/en-US/admin-people.json';
import type adminTools from './locales/en-US/admin-tools.json';
import type adminUsage from './locales/en-US/admin-usage.json';
import type artifacts from './locales/en-US/artifacts.json';
import type assistantBuilder from './locales/en-US/assistant-builder.json';
import type assistants from './locales/en-US/assistants.json';
import type auth from './locales/en-US/auth.json';
import type balance from './locales/en-US/balance.json';
import type bing from './locales/en-US/bing.json';
import type chat from './locales/en-US/chat.json';
import type clear from './locales/en-US/clear.json';
import type common from './locales/en-US/common.json';
import type compare from './locales/en-US/compare.json';
import type composer from './locales/en-US/composer.json';
import type content from './locales/en-US/content.json';
import type context from './locales/en-US/context.json';
import type convos from './locales/en-US/convos.json';
import type drafts from './locales/en-US/drafts.json';
import type endpointMenu from './locales/en-US/endpoint-menu.json';
import type endpoints from './locales/en-US/endpoints.json';
import type exporting from './locales/en-US/export.json';
import type failures from './locales/en-US/failures.json';
import type files from './locales/en-US/files.json';
import type firstPerson from './locales/en-US/first-person.json';
import type fork from './locales/en-US/fork.json';
import type heading from './locales/en-US/heading.json';
import type found from './locales/en-US/found.json';
import type keys from './locales/en-US/keys.json';
import type landing from './locales/en-US/landing.json';
import type mcp from './locales/en-US/mcp.json';
import type memory from './locales/en-US/memory.json';
import type notices from './locales/en-US/notices.json';
import type notFound from './locales/en-US/not-found.json';
import type pager from './locales/en-US/pager.json';
import type palette from './locales/en-US/palette.json';
import type params from './locales/en-US/params.json';
import type pictures from './locales/en-US/pictures.json';
import type plugins from './locales/en-US/plugins.json';
import type presets from './locales/en-US/presets.json';
import type projects from './locales/en-US/projects.json';
import type prompts from './locales/en-US/prompts.json';
import type skills from './locales/en-US/skills.json';
import type queue from './locales/en-US/queue.json';
import type switchModel from './locales/en-US/switch-model.json';
import type reasons from './locales/en-US/reasons.json';
import type research from './locales/en-US/research.json';
import type schedules from './locales/en-US/schedules.json';
import type search from './locales/en-US/search.json';
import type settings from './locales/en-US/settings.json';
import type shares from './locales/en-US/shares.json';
import type temporary from './locales/en-US/temporary.json';
import type shell from './locales/en-US/shell.json';
import type sidePanel from './locales/en-US/side-panel.json';
import type thread from './locales/en-US/thread.json';
import type tools from './locales/en-US/tools.json';
import type viewer from './locales/en-US/viewer.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: {
      translation: typeof account &
        typeof admin &
        typeof adminProviders &
        typeof adminOverview &
        typeof adminGroups &
        typeof adminTools &
        typeof adminPeople &
        typeof adminUsage &
        typeof artifacts &
        typeof assistantBuilder &
        typeof assistants &
        typeof auth &
        typeof balance &
        typeof bing &
        typeof clear &
        typeof common &
        typeof chat &
        typeof compare &
        typeof composer &
        typeof content &
        typeof context &
        typeof convos &
        typeof drafts &
        typeof endpointMenu &
        typeof endpoints &
        typeof exporting &
        typeof failures &
        typeof files &
        typeof firstPerson &
        typeof fork &
        typeof heading &
        typeof found &
        typeof keys &
        typeof landing &
        typeof mcp &
        typeof memory &
        typeof notices &
        typeof notFound &
        typeof pager &
        typeof palette &
        typeof params &
        typeof pictures &
        typeof plugins &
        typeof presets &
        typeof projects &
        typeof prompts &
        typeof skills &
        typeof queue &
        typeof switchModel &
        typeof reasons &
        typeof research &
        typeof schedules &
        typeof search &
        typeof settings &
        typeof shares &
        typeof temporary &
        typeof shell &
        typeof sidePanel &
        typeof thread &
        typeof tools &
        typeof viewer;
    };
  }
}
