// Files as other programs write them.

/** A conversation of ChatGPT's export; nodes as `[id, parent, message]` in any order. */
export function chatGpt(id: string, nodes: [string, string | null, object | null][], over: object = {}) {
  const mapping = Object.fromEntries(
    nodes.map(([name, parent, message]) => {
      const children = nodes.filter(([, above]) => above === name).map(([child]) => child);
      return [name, { id: name, parent, children, message: message && { id: name, ...message } }];
    }),
  );
  return {
    id,
    conversation_id: id,
    title: `Title of ${id}`,
    create_time: 1_700_000_000,
    update_time: 1_700_000_900.5,
    current_node: nodes.at(-1)?.[0],
    default_model_slug: 'gpt-4o',
    is_archived: false,
    mapping,
    ...over,
  };
}

export function says(role: string, content: string | object, over: object = {}) {
  const { seconds = null, metadata = {}, ...rest } = over as { seconds?: number | null; metadata?: object };
  return {
    author: { role, name: null, metadata: {} },
    create_time: seconds,
    content: typeof content === 'string' ? { content_type: 'text', parts: [content] } : content,
    status: 'finished_successfully',
    recipient: 'all',
    metadata: { model_slug: role === 'user' ? undefined : 'gpt-4o', ...metadata },
    ...rest,
  };
}

/** A conversation of the reference system's export. */
export function reference(conversationId: string, messages: unknown[], over: object = {}) {
  return {
    conversationId,
    endpoint: 'openAI',
    title: `Title of ${conversationId}`,
    exportAt: '10:00:00 GMT+0000',
    branches: true,
    recursive: false,
    options: { presetId: null, model: 'gpt-4', temperature: 0.3, top_p: 99, nonsense: { deep: true } },
    messages,
    ...over,
  };
}

export function message(messageId: string, parentMessageId: string | null, text: string, over: object = {}) {
  return {
    messageId,
    parentMessageId: parentMessageId ?? '00000000-0000-0000-0000-000000000000',
    sender: 'User',
    text,
    isCreatedByUser: true,
    error: false,
    unfinished: false,
    createdAt: '2024-03-01T10:00:00.000Z',
    updatedAt: '2024-03-01T10:00:00.000Z',
    ...over,
  };
}
