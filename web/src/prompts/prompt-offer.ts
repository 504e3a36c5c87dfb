// The preset and the tools that a prompt proposes, and whether the person agreed to them.
import { isObject } from '@parley/schema/json';
import type { Prompt } from '@parley/schema/prompts/prompt-rules';
import type { Preset } from '@parley/schema/settings/presets';
import type { ToolInfo } from '@parley/schema/tools/tools';
import { readStored, writeStored } from '../lib/storage.ts';

type Proposing = Pick<Prompt, 'presetId' | 'tools'>;

export interface PromptOffer {
  preset: Preset | null;
  tools: ToolInfo[];
  /** The person has no such preset. */
  isPresetGone: boolean;
  /** The keys of tools that this person cannot choose. */
  gone: string[];
}

/** Whether it proposes anything. */
export function proposes({ presetId, tools }: Proposing): boolean {
  return presetId !== null || tools.length > 0;
}

/** What of it there is for this person, who may not be the prompt's owner. */
export function matchOffer(
  { presetId, tools }: Proposing,
  presets: readonly Preset[],
  offered: readonly ToolInfo[],
): PromptOffer {
  const preset = presets.find((one) => one.presetId === presetId) ?? null;
  const usable = new Map(offered.filter(({ unavailable }) => unavailable === null).map((tool) => [tool.key, tool]));
  return {
    preset,
    tools: tools.flatMap((key) => usable.get(key) ?? []),
    isPresetGone: presetId !== null && preset === null,
    gone: tools.filter((key) => !usable.has(key)),
  };
}

/** Of the prompts by their ids, what was agreed to. */
const KEY = 'promptAgreements';

/** Only to the same preset and tools, and never for a prompt of another, which may change. */
export function hasAgreed(prompt: Prompt): boolean {
  return prompt.ownerName === null && readAgreements()[prompt.id] === contentOf(prompt);
}

export function noteAgreement(prompt: Prompt): void {
  if (prompt.ownerName === null) writeStored(KEY, { ...readAgreements(), [prompt.id]: contentOf(prompt) });
}

function readAgreements(): Record<string, unknown> {
  return readStored<Record<string, unknown>>(KEY, {}, (stored) => (isObject(stored) ? stored : undefined));
}

function contentOf({ presetId, tools }: Proposing): string {
  return JSON.stringify([presetId, tools]);
}
