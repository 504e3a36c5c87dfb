// The panels that the strip of icons opens.
import { IconAdjustmentsHorizontal, IconPaperclip, IconQuote, IconRobot, type Icon } from '@tabler/icons-react';
import type { ParseKeys } from 'i18next';
import { useAtomValue } from 'jotai';
import { useCanBuild } from '../endpoints/assistants/use-can-build.ts';
import { needsKey } from '../keys/key-state.ts';
import { useKeyState } from '../keys/use-key-state.ts';
import { offersParams } from '../params/shown-params.ts';
import { builderPanel, promptsPanel } from './lazy-panels.ts';
import { activeEntryAtom } from './panel-state.ts';
import type { SidePanelProps } from './panel-props.ts';

/** By the names that existing clients store. */
export type EntryName = 'parameters' | 'files' | 'prompts' | 'assistants';

export interface PanelEntry {
  name: EntryName;
  label: ParseKeys;
  Icon: Icon;
  /** Of a panel with a file of its own. */
  preload?: () => void;
}

const PARAMETERS: PanelEntry = { name: 'parameters', label: 'com_params', Icon: IconAdjustmentsHorizontal };
const FILES: PanelEntry = { name: 'files', label: 'com_files_attach', Icon: IconPaperclip };
const PROMPTS: PanelEntry = {
  name: 'prompts',
  label: 'com_prompts',
  Icon: IconQuote,
  preload: promptsPanel.preload,
};
const BUILDER: PanelEntry = {
  name: 'assistants',
  label: 'com_sidepanel_builder',
  Icon: IconRobot,
  preload: builderPanel.preload,
};

type ChatProps = SidePanelProps['chat'];

/** The panels of a chat, and the one that is open, or would be. */
export function useActiveEntry(chat: ChatProps): { entries: PanelEntry[]; active: PanelEntry } {
  const wanted = useAtomValue(activeEntryAtom);
  const hasBuilder = useHasBuilder(chat);
  const entries = [...(hasParams(chat) ? [PARAMETERS] : []), FILES, PROMPTS, ...(hasBuilder ? [BUILDER] : [])];
  return { entries, active: entries.find(({ name }) => name === wanted) ?? entries[0] ?? FILES };
}

/** Most endpoints have some, and their icon does not come late. */
function hasParams({ modelTarget, slot: { isNewChat } }: ChatProps): boolean {
  if (!modelTarget) return true;
  const { endpointType: type, model, settings } = modelTarget;
  return offersParams({ type, model, settings, isNewChat });
}

/** Only where assistants answer, for people who may build them and whose key is there. */
function useHasBuilder({ modelTarget }: ChatProps): boolean {
  const isForAssistants = modelTarget?.endpointType === 'assistants';
  const canBuild = useCanBuild();
  const key = useKeyState(isForAssistants ? modelTarget.endpoint : undefined);
  return isForAssistants && canBuild && !needsKey(key) && key.status !== 'loading';
}
