import type { Convo } from '@parley/schema/convos/convos';
import { presentConvo } from '@parley/server/rest/present/present-convo';
import { expect, it } from 'vitest';

const convo: Convo = {
  conversationId: 'convo',
  title: null,
  endpoint: 'openAI',
  endpointType: 'openAI',
  model: 'gpt-4',
  settings: { tools: ['calculator'], temperature: 0.5 },
  running: null,
  isPinned: false,
  isArchived: false,
  isUnread: false,
  folderId: null,
  forkedFrom: null,
  messagesSeq: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

it('a conversation has its tools as plugins', () => {
  expect(presentConvo('user', convo)).toMatchObject({
    temperature: 0.5,
    tools: [{ pluginKey: 'calculator', name: 'Calculator' }],
  });
});
