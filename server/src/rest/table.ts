import { abort } from './abort.ts';
import { ask, goOn } from './ask.ts';
import {
  logout,
  refresh,
  register,
  requestReset,
  resetPassword,
  whenClosed,
  whenNoReset,
  whenSignedOut,
} from './accounts.ts';
import { clearConvos, newTitle, oneConvo, pageOfConvos, updateConvo } from './convos.ts';
import { asError, asNothing, plain } from './answers.ts';
import { removeAllKeys, removeKey, saveKey } from './keys.ts';
import { countTokens, editMessage, oneMessage, removeMessage, saveMessage, someMessages } from './messages.ts';
import { listPresets, removePresets, savePreset } from './presets.ts';
import { on, open, type Row } from './row.ts';
import { asFailure, search } from './search.ts';

export const table: Row[] = [
  open('POST', '/api/auth/login', (api, { body }) => api.auth.login(body)),
  on('POST', '/api/auth/logout', logout),
  open('POST', '/api/auth/register', register, whenClosed),
  open('POST', '/api/auth/refresh', refresh, whenSignedOut),
  open('POST', '/api/auth/requestPasswordReset', requestReset, whenNoReset),
  open('POST', '/api/auth/resetPassword', resetPassword, whenNoReset),
  on('GET', '/api/user', (api) => api.auth.me()),
  on('GET', '/api/balance', async (api) => plain(await api.auth.balance())),

  open('GET', '/api/config', (api) => api.endpoints.startup()),
  open('GET', '/api/endpoints', (api) => api.endpoints.list()),
  open('GET', '/api/endpoints/config/override', () => false),
  on('GET', '/api/models', (api) => api.endpoints.models()),
  on('GET', '/api/plugins', (api) => api.endpoints.plugins()),
  on('POST', '/api/tokenizer', countTokens),

  open('GET', '/api/prompts', () => []),
  on('GET', '/api/presets', listPresets),
  on('POST', '/api/presets', savePreset),
  on('POST', '/api/presets/delete', removePresets),
  on('GET', '/api/files', (api) => api.files.list()),
  on('GET', '/api/files/config', async (api) => (await api.files.config()) ?? plain('')),
  on('GET', '/api/keys', (api, { query }) => api.keys.expiry({ name: query.get('name') ?? '' })),
  on('PUT', '/api/keys', saveKey),
  on('DELETE', '/api/keys', removeAllKeys),
  on('DELETE', '/api/keys/:name', removeKey),

  on('GET', '/api/search', search, asFailure),
  on('GET', '/api/search/enable', (api) => api.convos.searchEnabled()),
  on('GET', '/api/convos', pageOfConvos, asError(400)),
  on('GET', '/api/convos/:conversationId', oneConvo, asNothing(404)),
  on('POST', '/api/convos/gen_title', newTitle),
  on('POST', '/api/convos/update', updateConvo),
  on('POST', '/api/convos/clear', clearConvos),

  on('GET', '/api/messages/:conversationId', someMessages, asError(404)),
  on('POST', '/api/messages/:conversationId', saveMessage),
  on('GET', '/api/messages/:conversationId/:messageId', oneMessage, asError(404)),
  on('PUT', '/api/messages/:conversationId/:messageId', editMessage),
  on('DELETE', '/api/messages/:conversationId/:messageId', removeMessage),

  on('POST', '/api/ask/openAI', ask('openAI')),
  on('POST', '/api/ask/azureOpenAI', ask('azureOpenAI')),
  on('POST', '/api/ask/google', ask('google')),
  on('POST', '/api/ask/anthropic', ask('anthropic')),
  on('POST', '/api/ask/bingAI', ask('bingAI')),
  on('POST', '/api/ask/chatGPTBrowser', ask('chatGPTBrowser')),
  on('POST', '/api/ask/custom', ask('custom')),
  on('POST', '/api/ask/openAI/abort', abort),
  on('POST', '/api/ask/azureOpenAI/abort', abort),
  on('POST', '/api/ask/google/abort', abort),
  on('POST', '/api/ask/anthropic/abort', abort),
  on('POST', '/api/ask/bingAI/abort', abort),
  on('POST', '/api/ask/chatGPTBrowser/abort', abort),
  on('POST', '/api/ask/custom/abort', abort),
  on('POST', '/api/edit/openAI', goOn('openAI')),
  on('POST', '/api/edit/azureOpenAI', goOn('azureOpenAI')),
  on('POST', '/api/edit/google', goOn('google')),
  on('POST', '/api/edit/anthropic', goOn('anthropic')),
  on('POST', '/api/edit/bingAI', goOn('bingAI')),
  on('POST', '/api/edit/chatGPTBrowser', goOn('chatGPTBrowser')),
  on('POST', '/api/edit/custom', goOn('custom')),
  on('POST', '/api/edit/openAI/abort', abort),
  on('POST', '/api/edit/azureOpenAI/abort', abort),
  on('POST', '/api/edit/google/abort', abort),
  on('POST', '/api/edit/anthropic/abort', abort),
  on('POST', '/api/edit/bingAI/abort', abort),
  on('POST', '/api/edit/chatGPTBrowser/abort', abort),
  on('POST', '/api/edit/custom/abort', abort),
];
