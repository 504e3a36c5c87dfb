// What a step did, in a sentence.
import type { ToolCall, ToolState } from '@parley/schema/messages/messages';
import { isBeyondLimit } from '@parley/schema/tools/no-more-calls';
import type { TFunction } from 'i18next';
import { formatDuration } from '../answer-facts/format-duration.ts';
import { formatNumber } from '../../lib/format-number.ts';
import { originLabel } from '../tools/tool-labels.ts';
import { readPage } from './read-arguments.ts';

/** What a tool does, as far as people tell tools apart. */
export type ToolWork = 'code' | 'web' | 'page' | 'files' | 'reflection' | 'other';

type Facts = Pick<ToolCall, 'kind' | 'name' | 'from'>;

/** Tools that search the web, by their names. */
const WEB_SEARCHES = new Set(['web_search', 'google', 'serpapi', 'tavily_search_results_json', 'traversaal_search']);
/** Tools that read a page, by the ids of their origins. */
const PAGE_READERS = new Set(['web_page', 'web-browser']);
/** More tools are counted, not named. */
const NAMED_MAX = 3;

const ORDER = ['running', 'done', 'failed', 'skipped', 'denied', 'stopped', 'unknown', 'waiting'] as const;
type Shown = (typeof ORDER)[number];

export function toolWork({ kind, name, from }: Facts): ToolWork {
  if (kind === 'code_interpreter') return 'code';
  if (kind === 'retrieval') return 'files';
  if (from?.source === 'builtin' && from.id === 'self-reflection') return 'reflection';
  const isOurs = from?.source === 'builtin' || from?.source === 'plugin';
  if (isOurs && PAGE_READERS.has(from.id)) return 'page';
  return WEB_SEARCHES.has(name) ? 'web' : 'other';
}

/** The name of a tool for people, in English, with the one that ran of a server's or an API's many. */
export function toolLabel(call: Facts): string {
  const label = call.from?.label.trim() || call.name;
  const part = toolPart(call);
  return part === undefined ? label : `${label}: ${part}`;
}

/**
 * Which tool of a server, or which operation of an API: models know them as `mcp_<server>_<tool>` and
 * `<operation>_action_<domain>`. Undefined where the label names the tool.
 */
export function toolPart({ name, from }: Facts): string | undefined {
  if (from?.source === 'mcp') {
    const server = `mcp_${from.label.replaceAll(/[^A-Za-z0-9_-]/g, '_')}_`;
    return name.startsWith(server) && name.length > server.length ? name.slice(server.length) : undefined;
  }
  if (from?.source !== 'action') return undefined;
  const end = name.lastIndexOf('_action_');
  return end > 0 ? name.slice(0, end) : undefined;
}

/** The label of the tool, or of what it belongs to, in the reader's language. */
export function labelInWords({ name, from }: Facts, t: TFunction): string {
  return (from && originLabel(from, t)) || name;
}

/** The same with the one that is called of a server's or an API's many. */
export function wholeLabel(call: Facts, t: TFunction): string {
  const part = toolPart(call);
  return part === undefined ? labelInWords(call, t) : `${labelInWords(call, t)}: ${part}`;
}

/** The state of a call. What was still running when its reply ended has been stopped. */
export function toolState({ state = 'done' }: Pick<ToolCall, 'state'>, isWriting: boolean): ToolState {
  return !isWriting && (state === 'running' || state === 'writing') ? 'stopped' : state;
}

export function isAtWork(call: ToolCall, isWriting: boolean): boolean {
  const state = toolState(call, isWriting);
  return state === 'running' || state === 'writing';
}

/** What the calls of a step do or did, such as "Used Calculator and Wikipedia · Browser failed". */
export function describeStep(
  calls: readonly ToolCall[],
  isWriting: boolean,
  { t, language }: { t: TFunction; language: string },
): string {
  const shownOf = (call: ToolCall): Shown => {
    const state = toolState(call, isWriting);
    if (isBeyondLimit(call)) return 'skipped';
    return state === 'writing' ? 'running' : state;
  };
  const sentences = ORDER.flatMap((state) => {
    const these = calls.filter((call) => shownOf(call) === state);
    return these.length === 0 ? [] : sentencesOf(these, state, { t, language });
  });
  return sentences.join(' · ');
}

function sentencesOf(calls: readonly ToolCall[], state: Shown, words: { t: TFunction; language: string }): string[] {
  const { t } = words;
  const list = (some: readonly ToolCall[]) => listTools(some, words);
  switch (state) {
    case 'running':
    case 'done':
      return describeWork(calls, state, words);
    case 'failed':
      return [t('com_chat_tool_failed', { 0: list(calls) })];
    case 'skipped':
      return [t('com_tools_skipped', { 0: list(calls) })];
    case 'denied':
      return [t('com_tools_denied', { 0: list(calls) })];
    case 'stopped':
      return [t('com_tools_stopped', { 0: list(calls) })];
    case 'unknown':
      return [t('com_tools_unknown', { 0: list(calls) })];
    case 'waiting': {
      const signIns = calls.filter(({ needs }) => needs === 'sign_in');
      const approvals = calls.filter(({ needs }) => needs !== 'sign_in');
      return [
        ...(approvals.length > 0 ? [t('com_tools_waits_approval', { 0: list(approvals) })] : []),
        ...(signIns.length > 0 ? [t('com_tools_waits_sign_in', { 0: list(signIns) })] : []),
      ];
    }
    default:
      return state satisfies never;
  }
}

const WORDS = {
  code: { running: 'com_tools_code_running', done: 'com_tools_code_done' },
  web: { running: 'com_tools_web_running', done: 'com_tools_web_done' },
  page: { running: 'com_tools_page_running', done: 'com_tools_page_done' },
  files: { running: 'com_tools_files_running', done: 'com_tools_files_done' },
  reflection: { running: 'com_tools_reflection_running', done: 'com_tools_reflection_done' },
  other: { running: 'com_chat_tool_calling', done: 'com_chat_tool_called' },
} as const;

function describeWork(
  calls: readonly ToolCall[],
  state: 'running' | 'done',
  words: { t: TFunction; language: string },
): string[] {
  return (['code', 'web', 'page', 'files', 'reflection', 'other'] as const).flatMap((work) => {
    const these = calls.filter((call) => toolWork(call) === work);
    if (these.length === 0) return [];
    const key = WORDS[work][state];
    const sentence = words.t(key, { 0: listTools(these, words) });
    const namesEach = work === 'other' || work === 'page';
    return [namesEach ? sentence : withCount(sentence, these.length, words.language)];
  });
}

/** The names of tools, or of the pages that they read, each once, with how often it was called. */
function listTools(calls: readonly ToolCall[], { t, language }: { t: TFunction; language: string }): string {
  const counts = new Map<string, number>();
  for (const call of calls) {
    const label = nameOf(call, t);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const arePages = calls.every((call) => toolWork(call) === 'page');
  if (counts.size > NAMED_MAX) return t(arePages ? 'com_tools_pages' : 'com_tools_some', { count: calls.length });
  const names = [...counts].map(([label, count]) => withCount(label, count, language));
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
}

function nameOf(call: ToolCall, t: TFunction): string {
  const work = toolWork(call);
  if (work === 'code') return t('com_tools_code');
  return (work === 'page' ? readPage(call.input) : null) ?? wholeLabel(call, t);
}

function withCount(text: string, count: number, language: string): string {
  return count > 1 ? `${text} ×${formatNumber(count, language)}` : text;
}

/** How long a step took, whose calls ran side by side; empty where nothing was measured. */
export function describeDuration(calls: readonly ToolCall[], language: string): string {
  const took = Math.max(...calls.map(({ tookMs }) => tookMs ?? -1));
  return took < 0 ? '' : formatDuration(took, language);
}
