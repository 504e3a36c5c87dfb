// The table of REST routes.
import {
  logout,
  refresh,
  register,
  requestReset,
  resetPassword,
  onRegistrationClosed,
  onInvalidReset,
  onSignedOut,
} from './routes/accounts.ts';
import {
  acceptTerms,
  noAgents,
  noPromptGroups,
  noRandomPrompts,
  noSpeech,
  absentPermissions,
  termsOfUser,
} from './routes/absent.ts';
import { listActions, onUnsavedAction, removeAction, saveAction } from './routes/assistant-actions.ts';
import { abortAssistant, askAssistant, editAssistantReply } from './routes/assistant-chat.ts';
import {
  createAssistant,
  listAssistants,
  listDocuments,
  listTools,
  oneAssistant,
  onUnsaved,
  removeAssistant,
  updateAssistant,
} from './routes/assistants.ts';
import { presentEndpoints } from './present/present-endpoints.ts';
import { clearConvos, newTitle, oneConvo, pageOfConvos, updateConvo } from './routes/convos.ts';
import { duplicateConvo, forkConvo } from './routes/copies.ts';
import { errorOn, emptyOn, plain } from './responses.ts';
import { listFiles, onFailedRemoval, removeFiles } from './routes/files.ts';
import { removeAllKeys, removeKey, saveKey } from './routes/keys.ts';
import { countTokens, editMessage, oneMessage, removeMessage, saveMessage, someMessages } from './routes/messages.ts';
import { changePlugins, listPlugins } from './routes/plugins.ts';
import { listPresets, removePresets, savePreset } from './routes/presets.ts';
import { authed, public_, type Route } from './route.ts';
import { asFailure, search } from './routes/search.ts';
import { createShare, pageOfShares, readShare, removeShare, updateShare } from './routes/shares.ts';
import { createTag, listTags, removeTag, renameTag, tagConvo } from './routes/tags.ts';

/** All routes except those for asking, which `ask-rows.ts` makes from the providers. */
export const routes: Route[] = [
  public_('POST', '/api/auth/login', (api, { body }) => api.auth.login(body)),
  { ...authed('POST', '/api/auth/logout', logout), isForLimited: true },
  public_('POST', '/api/auth/register', register, onRegistrationClosed),
  public_('POST', '/api/auth/refresh', refresh, onSignedOut),
  public_('POST', '/api/auth/requestPasswordReset', requestReset, onInvalidReset),
  public_('POST', '/api/auth/resetPassword', resetPassword, onInvalidReset),
  { ...authed('GET', '/api/user', (api) => api.auth.me()), isForLimited: true },
  authed('PUT', '/api/user', (api, { body }) => api.auth.updateProfile(body)),
  authed('GET', '/api/balance', async (api) => plain(await api.auth.balance())),

  public_('GET', '/api/config', (api) => api.endpoints.startup()),
  public_('GET', '/api/endpoints', async (api) => presentEndpoints(await api.endpoints.list())),
  public_('GET', '/api/endpoints/config/override', () => false),
  authed('GET', '/api/models', (api) => api.endpoints.models()),
  authed('GET', '/api/plugins', listPlugins),
  authed('POST', '/api/user/plugins', changePlugins),
  authed('POST', '/api/tokenizer', countTokens),

  public_('GET', '/api/prompts', () => []),
  authed('GET', '/api/prompts/all', () => []),
  authed('GET', '/api/prompts/groups', noPromptGroups),
  authed('GET', '/api/prompts/random', noRandomPrompts),
  authed('GET', '/api/categories', () => []),
  authed('GET', '/api/agents', noAgents),
  authed('GET', '/api/agents/tools', () => []),
  authed('GET', '/api/files/speech/config/get', noSpeech),
  authed('GET', '/api/files/speech/tts/voices', () => []),
  authed('GET', '/api/roles/:role', absentPermissions),
  authed('GET', '/api/user/terms', termsOfUser),
  authed('POST', '/api/user/terms/accept', acceptTerms),
  public_('GET', '/api/banner', () => null),

  authed('GET', '/api/presets', listPresets),
  authed('POST', '/api/presets', savePreset),
  authed('POST', '/api/presets/delete', removePresets),
  authed('GET', '/api/files', listFiles),
  authed('DELETE', '/api/files', removeFiles, onFailedRemoval),
  authed('GET', '/api/files/config', async (api) => (await api.files.config()) ?? plain('')),
  authed('GET', '/api/keys', (api, { query }) => api.keys.expiry({ name: query.get('name') ?? '' })),
  authed('PUT', '/api/keys', saveKey),
  authed('DELETE', '/api/keys', removeAllKeys),
  authed('DELETE', '/api/keys/:name', removeKey),

  authed('GET', '/api/assistants', listAssistants),
  authed('POST', '/api/assistants', createAssistant, onUnsaved),
  authed('GET', '/api/assistants/tools', listTools),
  authed('GET', '/api/assistants/documents', listDocuments),
  authed('GET', '/api/assistants/actions', listActions),
  { ...authed('POST', '/api/assistants/actions/:assistant_id', saveAction, onUnsavedAction), takesDocument: true },
  authed('DELETE', '/api/assistants/actions/:assistant_id/:action_id/:model', removeAction),
  authed('POST', '/api/assistants/chat', askAssistant),
  authed('POST', '/api/assistants/chat/modify', editAssistantReply),
  authed('POST', '/api/assistants/chat/abort', abortAssistant),
  authed('GET', '/api/assistants/:assistant_id', oneAssistant),
  authed('PATCH', '/api/assistants/:assistant_id', updateAssistant, onUnsaved),
  authed('DELETE', '/api/assistants/:assistant_id', removeAssistant),

  authed('GET', '/api/search', search, asFailure),
  authed('GET', '/api/search/enable', (api) => api.convos.searchEnabled()),
  authed('GET', '/api/convos', pageOfConvos, errorOn(400)),
  authed('GET', '/api/convos/:conversationId', oneConvo, emptyOn(404)),
  authed('POST', '/api/convos/gen_title', newTitle),
  authed('POST', '/api/convos/update', updateConvo),
  authed('POST', '/api/convos/clear', clearConvos),
  authed('POST', '/api/convos/fork', forkConvo),
  authed('POST', '/api/convos/duplicate', duplicateConvo),

  authed('GET', '/api/tags', listTags),
  authed('POST', '/api/tags', createTag),
  authed('POST', '/api/tags/rebuild', listTags),
  authed('PUT', '/api/tags/convo/:conversationId', tagConvo),
  authed('PUT', '/api/tags/:tag', renameTag),
  authed('DELETE', '/api/tags/:tag', removeTag),

  authed('GET', '/api/share', pageOfShares),
  authed('POST', '/api/share', createShare),
  authed('PATCH', '/api/share', updateShare),
  public_('GET', '/api/share/:shareId', readShare),
  authed('DELETE', '/api/share/:shareId', removeShare),

  authed('GET', '/api/messages/:conversationId', someMessages, errorOn(404)),
  authed('POST', '/api/messages/:conversationId', saveMessage),
  authed('GET', '/api/messages/:conversationId/:messageId', oneMessage, errorOn(404)),
  authed('PUT', '/api/messages/:conversationId/:messageId', editMessage),
  authed('DELETE', '/api/messages/:conversationId/:messageId', removeMessage),
];
