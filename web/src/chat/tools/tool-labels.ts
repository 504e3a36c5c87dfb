// Names and descriptions of tools in the reader's language. Tools of others are called what their makers call them.
import type { ToolOrigin } from '@parley/schema/messages/messages';
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { TFunction } from 'i18next';
import { describePlugin } from '../../plugins/plugin-descriptions.ts';

const WORDS = {
  artifact: { label: 'com_tools_artifact', about: 'com_tools_artifact_about' },
  calculator: { label: 'com_tools_calculator', about: 'com_tools_calculator_about' },
  code_interpreter: { label: 'com_tools_code_interpreter', about: 'com_tools_code_interpreter_about' },
  web_search: { label: 'com_tools_web_search', about: 'com_tools_web_search_about' },
  web_page: { label: 'com_tools_web_page', about: 'com_tools_web_page_about' },
  image_vision: { label: 'com_tools_image_vision', about: 'com_tools_image_vision_about' },
  file_search: { label: 'com_tools_file_search', about: null },
  find_tools: { label: 'com_tools_find', about: null },
  'self-reflection': { label: 'com_tools_reflection', about: null },
} as const;

/** What else there is matters to the model only. */
const PACKAGES_MAX = 8;

export function originLabel(from: ToolOrigin, t: TFunction): string {
  const words = wordsOf(from);
  return words ? t(words.label) : from.label.trim();
}

/** The name of a built-in tool that is chosen by this key; undefined for tools of others. */
export function builtinLabel(key: string, t: TFunction): string | undefined {
  return isKnown(key) ? t(WORDS[key].label) : undefined;
}

/** What it does, for people. */
export function builtinAbout(key: string, t: TFunction): string | null {
  const about = isKnown(key) ? WORDS[key].about : null;
  return about && t(about);
}

/** The tool as menus show it. */
export function toolInWords<Tool extends ToolInfo>(tool: Tool, t: TFunction): Tool {
  const { source, id } = tool.from;
  const about = wordsOf(tool.from)?.about;
  const description =
    source === 'plugin' ? describePlugin({ key: id, description: tool.description }, t) : tool.description;
  return {
    ...tool,
    from: { ...tool.from, label: originLabel(tool.from, t) },
    description: about ? [t(about), ...packagesOf(tool, t)].join(' ') : description,
  };
}

function packagesOf({ packages }: ToolInfo, t: TFunction): string[] {
  if (!packages) return [];
  if (packages.length === 0) return [t('com_tools_packages_none')];
  return [t('com_tools_packages', { 0: packages.slice(0, PACKAGES_MAX).join(', ') })];
}

function wordsOf({ source, id }: ToolOrigin) {
  return source === 'builtin' && isKnown(id) ? WORDS[id] : undefined;
}

function isKnown(id: string): id is keyof typeof WORDS {
  return Object.hasOwn(WORDS, id);
}
