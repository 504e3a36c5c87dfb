// @vitest-environment happy-dom
import type { ToolInfo } from '@parley/schema/tools/tools';
import { beforeAll, expect, test } from 'vitest';
import { activeTools } from '../../../../web/src/chat/tools/active-tools.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);

const office: ToolInfo = {
  key: 'mcp:office',
  from: { source: 'mcp', id: 'office', label: 'office' },
  description: 'calendar, mail',
  unavailable: null,
  tools: [
    { name: 'calendar', isOn: true },
    { name: 'mail', isOn: true },
    { name: 'delete_all', isOn: false },
  ],
};
const shown = (chosen: string[], offered: ToolInfo[] | undefined) =>
  activeTools(chosen, offered, i18n.t).map(({ id, label, count }) => [id, label, count]);

test('an active tool has a name and an image, and a server the number of tools that answers may use', () => {
  expect(shown(['calculator', 'mcp:office'], [office])).toEqual([
    ['calculator', 'Calculator', null],
    ['mcp:office', 'office', 2],
  ]);
});

test('built-in tools are named before the list of tools is there, and others have a place until it is', () => {
  expect(shown(['mcp:office', 'web_search'], undefined)).toEqual([
    ['mcp:office', null, null],
    ['web_search', 'Web search', null],
  ]);
});

test('a tool that is gone stays, so that it can be switched off', () => {
  expect(shown(['mcp:lost'], [office])).toEqual([['mcp:lost', 'No longer available', null]]);
});
