// The messages of a request in the shape that every server takes: the templates of many models refuse any other.

export interface WireMessage {
  role: string;
  content?: unknown;
  tool_calls?: unknown;
  name?: string;
  [field: string]: unknown;
}

/**
 * One system message, which is the first, then turns that begin with the user's, no two of one role in a row. No names,
 * and no turns without words. Calls and their results stay as they are.
 */
export function plainTurns(messages: readonly object[]): WireMessage[] {
  const all = (messages as readonly WireMessage[]).map(({ name: _name, ...message }) => message as WireMessage);
  const system = all.filter(({ role }) => role === 'system');
  const turns = all.filter((message) => message.role !== 'system' && !isEmpty(message));
  const begun = turns[0]?.role === 'assistant' ? [BEGINNING, ...turns] : turns;
  const joined: WireMessage[] = [];
  for (const message of [...system, ...begun]) {
    const last = joined.at(-1);
    const isJoined = last?.role === message.role && message.role !== 'tool' && !last.tool_calls;
    if (isJoined) joined.splice(-1, 1, { ...last, ...message, content: joinedContent(last.content, message.content) });
    else joined.push(message);
  }
  return joined;
}

/** Asks a model to go on with an unfinished answer. */
export const CONTINUE_PROMPT = 'Go on exactly where you stopped. Repeat nothing and say nothing else.';

/** Where the last turn is an unfinished answer, one more asks to go on with it. */
export function withUserLast(messages: readonly WireMessage[]): WireMessage[] {
  const isUnfinished = messages.at(-1)?.role === 'assistant';
  return isUnfinished ? [...messages, { role: 'user', content: CONTINUE_PROMPT }] : [...messages];
}

/** Stands before a conversation that the model began, or of which the beginning is left out. */
const BEGINNING: WireMessage = { role: 'user', content: '(The beginning of the conversation is not shown.)' };

function isEmpty({ role, content, tool_calls: calls }: WireMessage): boolean {
  return role === 'assistant' && !calls && (content === '' || content === null);
}

function joinedContent(first: unknown, second: unknown): unknown {
  if (first === '' || first === null || first === undefined) return second;
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  const parts = [...contentParts(first), ...contentParts(second)];
  return parts.length > 0 ? parts : null;
}

/** The content as a list of parts. */
export function contentParts(content: unknown): Record<string, unknown>[] {
  if (Array.isArray(content)) return content as Record<string, unknown>[];
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
}

/** For servers without the role: the instructions begin the first question. */
export function withoutSystem(messages: readonly WireMessage[]): WireMessage[] {
  const content = messages.find(({ role }) => role === 'system')?.content;
  const turns = messages.filter(({ role }) => role !== 'system');
  if (content === undefined) return turns;
  return turns[0]?.role === 'user'
    ? [{ ...turns[0], content: joinedContent(content, turns[0].content) }, ...turns.slice(1)]
    : [{ role: 'user', content }, ...turns];
}

/** Tells a model of a picture that its server does not take. */
const UNSEEN = '(Here is a picture or file that you cannot see.)';

/** For servers that take texts only. */
export function withTextOnly(messages: readonly WireMessage[]): WireMessage[] {
  return messages.map((message) => {
    if (!Array.isArray(message.content)) return message;
    const texts = contentParts(message.content).map(({ type, text }) => (type === 'text' ? String(text) : UNSEEN));
    return { ...message, content: texts.join('\n\n') };
  });
}

/** For servers without tools: earlier calls and their results are told in words. */
export function withoutToolTurns(messages: readonly WireMessage[]): WireMessage[] {
  const names = new Map<unknown, string>();
  const told = messages.map((message): WireMessage => {
    const { tool_calls: calls, tool_call_id: id, ...rest } = message;
    if (message.role === 'tool')
      return { role: 'user', content: joinedContent(`Result of ${names.get(id) ?? 'the tool'}:`, message.content) };
    if (!Array.isArray(calls)) return message;
    const lines = (calls as WireCall[]).map(({ id: callId, function: asked }) => {
      names.set(callId, asked.name);
      return `Used the tool ${asked.name} with ${asked.arguments}`;
    });
    return { ...rest, content: joinedContent(rest.content, lines.join('\n')) };
  });
  return plainTurns(told);
}

interface WireCall {
  id: string;
  function: { name: string; arguments: string };
}
