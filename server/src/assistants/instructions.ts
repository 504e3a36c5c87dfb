// The instructions of a reply from all the places where a person writes some: their account, the folder, the assistant
// and the chat, in this order.
import type { Settings } from '@parley/schema/catalog/params';
import type { Personal } from '@parley/schema/settings/interface';

/** One text of instructions, and the heading under which the model gets it where there are several. */
export interface Instructions {
  heading: string;
  text: string;
}

interface Asked {
  /** Names the endpoint that is asked and, for an assistant, the one that answers. */
  endpoints: readonly string[];
  isTemporary: boolean;
  settings: Settings;
}

/**
 * Lists what the person wants every answer to know. A chat has the last word (`personal` of its settings); a temporary
 * one gets them only if it asks for them.
 */
export function personalInstructions(
  personal: Personal | undefined,
  { endpoints, isTemporary, settings }: Asked,
): Instructions[] {
  if (!personal || settings.personal === false || (isTemporary && settings.personal !== true)) return [];
  if (endpoints.some((name) => personal.exceptEndpoints.includes(name))) return [];
  const { about, style, isOn } = personal;
  return withText([
    { heading: 'About the person who asks', text: isOn.about ? about : '' },
    { heading: 'How to answer', text: isOn.style ? style : '' },
  ]);
}

/** Keeps so many characters of all their texts. */
export function cutInstructions(all: readonly Instructions[], length: number): Instructions[] {
  let left = length;
  return withText(
    all.map(({ heading, text }) => {
      const kept = text.slice(0, left);
      left -= kept.length;
      return { heading, text: kept };
    }),
  );
}

/** The setting of a call that holds what stands before the instructions of an assistant. No conversation has it. */
const BEFORE = 'instructionsBefore';

/** Adds instructions that stand before those of the chat and of its assistant. */
export function withInstructions(settings: Settings, before: readonly Instructions[], hasAssistant: boolean): Settings {
  if (before.length === 0) return settings;
  if (hasAssistant) return { ...settings, [BEFORE]: before.map(underHeading) };
  const all = withText([...before, { heading: OF_CHAT, text: promptPrefixOf(settings) }]);
  return { ...settings, promptPrefix: all.map(underHeading).join('\n\n') };
}

const OF_CHAT = 'Instructions of this chat';

/** What `withInstructions` has added for an assistant. */
export function instructionsBefore(settings: Settings): string[] {
  const { [BEFORE]: before } = settings;
  return Array.isArray(before) ? before.filter((text) => typeof text === 'string') : [];
}

/** The settings of an assistant's call: its own instructions stand between those before it and those of the chat. */
export function joinInstructions(settings: Settings, own: string): Settings {
  const before = instructionsBefore(settings);
  const { [BEFORE]: _before, ...rest } = settings;
  const texts = withText([
    { heading: 'Instructions of the assistant', text: own },
    { heading: OF_CHAT, text: promptPrefixOf(settings) },
  ]);
  const joined = before.length > 0 ? [...before, ...texts.map(underHeading)] : texts.map(({ text }) => text);
  return { ...rest, promptPrefix: joined.join('\n\n') };
}

function promptPrefixOf({ promptPrefix }: Settings): string {
  return typeof promptPrefix === 'string' ? promptPrefix : '';
}

function underHeading({ heading, text }: Instructions): string {
  return `## ${heading}\n\n${text.trim()}`;
}

function withText(all: readonly Instructions[]): Instructions[] {
  return all.filter(({ text }) => text.trim() !== '');
}
