// What the readers of other products' exports share: messages and conversations of which little is told.
import { parseSettings } from '@parley/schema/settings/settings';
import type { Settings } from '@parley/schema/catalog/params';
import type { MessagePart } from '@parley/schema/messages/messages';
import { UNTOLD, type SourceConvo, type SourceMessage } from '../source.ts';
import type { LeftOutCount } from './left-out.ts';

export type Endpoint = Pick<SourceConvo, 'endpoint' | 'endpointType'>;

const OPENAI: Endpoint = { endpoint: 'openAI', endpointType: 'openAI' };
const BUILT_IN: Readonly<Record<string, Endpoint>> = {
  openai: OPENAI,
  anthropic: { endpoint: 'anthropic', endpointType: 'anthropic' },
  google: { endpoint: 'google', endpointType: 'google' },
};

/** The endpoint of a provider by its name elsewhere; of none, by the name of the model. */
export function endpointNamed(provider: string | null, model: string | null): Endpoint {
  if (provider !== null && provider !== '') {
    const name = provider.toLowerCase();
    return (
      (Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined) ?? { endpoint: provider, endpointType: 'custom' }
    );
  }
  const family = model?.split('/').at(-1) ?? '';
  if (family.startsWith('claude')) return BUILT_IN.anthropic ?? OPENAI;
  return (family.startsWith('gemini') ? BUILT_IN.google : undefined) ?? OPENAI;
}

interface Plain extends Endpoint {
  id: string;
  parentId: string | null;
  isCreatedByUser: boolean;
  sender: string;
  model: string | null;
  parts: MessagePart[];
  /** Unix time in milliseconds. */
  at: number | null;
  /** It ended before it was whole. */
  unfinished?: boolean;
  /** What the provider said instead of an answer. */
  error?: string;
}

export function plainMessage({ at, error, unfinished = false, ...told }: Plain): SourceMessage {
  const isAnswer = !told.isCreatedByUser;
  return {
    ...UNTOLD,
    ...told,
    unfinished: isAnswer && unfinished,
    finishReason: isAnswer ? (unfinished ? 'incomplete' : 'stop') : null,
    reason: isAnswer && error ? { type: 'unknown', text: error } : null,
    createdAt: at,
    updatedAt: at,
  };
}

/** The settings of a conversation with these instructions; counts those that are longer than instructions may be here. */
export function settingsWith(
  instructions: string,
  { endpointType }: Endpoint,
  model: string | null,
  counted: LeftOutCount,
): Settings {
  if (instructions.trim() === '') return {};
  try {
    return parseSettings(endpointType, { promptPrefix: instructions }, model);
  } catch {
    counted.add('system');
    return {};
  }
}

/** What was counted, for a conversation. */
export function countedFields(counted: LeftOutCount, tags: readonly string[] = []) {
  const leftOut = counted.result(tags);
  return { dropped: counted.total(), ...(leftOut && { leftOut }) };
}

/** The name of a file, and below it what is in it where that is known. */
export function namedFile(name: string | null, content = '', kind = 'file'): string {
  const head = `[${kind}${name === null ? '' : `: ${name}`}]`;
  return content === '' ? head : `${head}\n${quoted(content)}`;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** Pages that a search found, as the output of a call. */
export function searchCall(pages: readonly { url: string | null; title: string | null }[]): MessagePart[] {
  if (pages.length === 0) return [];
  const output = pages.map(({ title, url }) => [title, url].filter(Boolean).join('\n')).join('\n\n');
  const call = { id: '', kind: 'function', name: 'web_search', input: '', output, progress: 1 } as const;
  return [{ type: 'tool_call', call }];
}

export function textPart(text: string): MessagePart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** On a line of its own: the texts of a message are read as one. */
export function textBelow(parts: readonly MessagePart[], text: string): MessagePart {
  return { type: 'text', text: parts.some(({ type }) => type === 'text') ? `\n${text}` : text };
}
