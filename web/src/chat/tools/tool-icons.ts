// The signs of tools. Tools of others have one by their kind: the images of their makers say nothing to most people.
import type { ToolSourceName } from '@parley/schema/messages/messages';
import {
  IconApi,
  IconAppWindow,
  IconBrandPython,
  IconCalculator,
  IconEye,
  IconFileSearch,
  IconFileText,
  IconBulb,
  IconServer,
  IconTool,
  IconWorldSearch,
  type Icon,
} from '@tabler/icons-react';

const OF_KEY: Readonly<Record<string, Icon>> = {
  artifact: IconAppWindow,
  calculator: IconCalculator,
  code_interpreter: IconBrandPython,
  web_search: IconWorldSearch,
  web_page: IconFileText,
  image_vision: IconEye,
  file_search: IconFileSearch,
};

const OF_SOURCE: Readonly<Record<ToolSourceName, Icon>> = {
  builtin: IconTool,
  plugin: IconTool,
  action: IconApi,
  mcp: IconServer,
  skill: IconBulb,
};

/** By the key under which a conversation chooses the tool. */
export function toolIcon(key: string): Icon {
  return (Object.hasOwn(OF_KEY, key) && OF_KEY[key]) || OF_SOURCE[toolSourceName(key)];
}

/** Keys of plugins are words of their own. */
export function toolSourceName(key: string): ToolSourceName {
  if (key.startsWith('mcp:')) return 'mcp';
  if (key.startsWith('skill:')) return 'skill';
  return key.startsWith('action:') ? 'action' : 'plugin';
}
