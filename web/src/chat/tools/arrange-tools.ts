import type { Settings } from '@parley/schema/catalog/params';
import type { ToolSourceName } from '@parley/schema/messages/messages';
import { CHOSEN_TOOLS_MAX } from '@parley/schema/catalog/params';
import type { ToolHindrance, ToolInfo, ToolPart } from '@parley/schema/tools/tools';
import { hasWords } from '../../ui/fields/has-words.ts';
import { toolSourceName } from './tool-icons.ts';

/** A tool as a row of the menu. */
export interface ToolRow {
  key: string;
  label: string;
  description: string;
  /** Why it cannot be chosen now, in words for people; null when it can. */
  unavailable: string | null;
  /** What it wants before it can be used, though it can be chosen: to be signed in to, and where. */
  wants?: { text: string; signInUrl: string | null };
  /** It is a plugin that lacks nothing but its values. */
  lacksValues?: true;
  /** Of a server: its tools, and which of them answers may use. */
  parts?: ToolPart[];
  /** What was searched for, where only tools of the server have it: the list shows these. */
  partsFound?: string;
  isOn: boolean;
}

/** Without a search: what is on, what can be switched on, and the rest. What a search finds is told by its source. */
export type ToolSection = 'on' | 'usable' | 'more' | ToolSourceName;

export interface ToolGroup {
  section: ToolSection;
  rows: ToolRow[];
}

/** Servers were connected by somebody, and plugins are there for everybody. */
const SOURCES: readonly ToolSourceName[] = ['builtin', 'skill', 'mcp', 'action', 'plugin'];
/** Users' own servers have such ids. */
const RANDOM_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Menus with more tools have a search field. */
export const SEARCHED_FROM = 9;

/** The keys of the tools that a chat uses. */
export function chosenTools({ tools }: Settings): string[] {
  return Array.isArray(tools) ? tools.filter((key) => typeof key === 'string') : [];
}

/** The settings with other tools. */
export function withTools({ tools: _before, ...rest }: Settings, keys: readonly string[]): Settings {
  return keys.length === 0 ? rest : { ...rest, tools: [...keys] };
}

/** The chosen tools with one more or less. There is a greatest number of them. */
export function toggleTool(chosen: readonly string[], key: string): string[] {
  if (chosen.includes(key)) return chosen.filter((one) => one !== key);
  return chosen.length < CHOSEN_TOOLS_MAX ? [...chosen, key] : [...chosen];
}

interface Arrangement {
  query: string;
  /** What became of a chosen tool that is no longer offered. It stays, so that it can be switched off. */
  gone: string;
  /** Says in the reader's language why one cannot be chosen. */
  describe?: (why: ToolHindrance) => string;
  /** The keys that stand first: those that were on when the list was opened, so that no row moves under a pointer. */
  first?: readonly string[];
  /** Only administrators can set up a search service, so others do not read that there is none. */
  isOperator?: boolean;
}

/** The tools of a list that has a search, in groups. */
export function arrangeTools(
  offered: readonly ToolInfo[],
  chosen: readonly string[],
  { query, gone, describe, first = chosen, isOperator = true }: Arrangement,
): ToolGroup[] {
  const isOn = (key: string) => chosen.includes(key);
  const rows = offered
    .filter(({ key, why }) => isOperator || why?.type !== 'no_search' || isOn(key))
    .map(({ key, from, description, unavailable, why, signInUrl, tools }) => ({
      source: from.source,
      row: {
        key,
        label: from.label || key,
        description,
        unavailable: unavailable !== null && why && describe ? describe(why) : unavailable,
        ...(tools && { parts: tools }),
        ...(why?.type === 'values_missing' && { lacksValues: true as const }),
        ...(why && describe && signInUrl !== undefined && { wants: { text: describe(why), signInUrl } }),
        isOn: isOn(key),
      },
    }));
  const missing = chosen
    .filter((key) => !offered.some((tool) => tool.key === key))
    .map((key) => ({ source: toolSourceName(key), row: goneRow(key, gone) }));
  const wanted = query.trim();
  const found = [...rows, ...missing].flatMap(({ source, row }) => {
    const shown = findRow(row, wanted);
    return shown ? [{ source, row: shown }] : [];
  });
  const inOrder = SOURCES.map((source) => ({
    section: source,
    rows: found.filter((one) => one.source === source).map(({ row }) => row),
  }));
  return (wanted === '' ? byUse(inOrder, first) : inOrder).filter((group) => group.rows.length > 0);
}

/** Whether a search names a tool or says what it does; of a server, it may name one of its tools. */
function findRow(row: ToolRow, wanted: string): ToolRow | null {
  const { key, label, description, parts } = row;
  // The description of a server is a list of its tools.
  const own = parts ? `${label}\n${key}` : `${label}\n${description}\n${key}`;
  if (hasWords(own, wanted)) return row;
  return parts?.some((part) => isPartFound(part, label, wanted)) ? { ...row, partsFound: wanted } : null;
}

/** Also by the name of its server. */
export function isPartFound(
  { name, description = '' }: Omit<ToolPart, 'isOn'>,
  server: string,
  wanted: string,
): boolean {
  return hasWords(`${server}\n${name}\n${description}`, wanted);
}

function byUse(groups: readonly ToolGroup[], first: readonly string[]): ToolGroup[] {
  const rows = groups.flatMap((group) => group.rows);
  const others = rows.filter(({ key }) => !first.includes(key));
  const isUsable = ({ unavailable, isOn }: ToolRow) => unavailable === null || isOn;
  return [
    { section: 'on', rows: rows.filter(({ key }) => first.includes(key)) },
    { section: 'usable', rows: others.filter(isUsable) },
    { section: 'more', rows: others.filter((row) => !isUsable(row)) },
  ];
}

/** An id means nothing to people. */
function goneRow(key: string, gone: string): ToolRow {
  const name = key.replace(/^(?:mcp|action|skill):(?:[0-9a-f-]{36}:)?/, '');
  const words = RANDOM_ID.test(name) ? { label: gone, unavailable: null } : { label: name, unavailable: gone };
  return { key, ...words, description: '', isOn: true };
}

/** The name of a tool that is always allowed, from `<source>:<id>:<name>`. */
export function grantLabel(tool: string): string {
  return tool.split(':').slice(2).join(':') || tool;
}
