// The search for tools that a model is not offered at first.
import { createHiddenTools, findToolsTool, specTokens } from '@parley/server/tools/find-tools';
import type { Tool } from '@parley/server/tools/tool';
import { describe, expect, it } from 'vitest';
import { createTool } from '../../support/tools/agents.ts';

function ofServer(does: string, description = '', args: string[] = []): Tool {
  const properties = Object.fromEntries(args.map((name) => [name, { type: 'string' }]));
  return createTool(`mcp_github_${does}`, {
    does,
    description,
    parameters: { type: 'object', properties },
    from: { source: 'mcp', id: 'github', label: 'github' },
  });
}

const tools = [
  ofServer('push_files', 'Push multiple files to a GitHub repository in a single commit', ['branch']),
  ofServer('create_or_update_file', 'Create or update a single file in a repository'),
  ofServer('list_issues', 'List issues in a repository', ['labels']),
  ofServer('addIssueComment', 'Add a comment to an issue'),
  ofServer('search_code', 'Find code across repositories'),
  ofServer('merge_pull_request', 'Merge a pull request'),
];

const room = (count: number, tokens = 10_000) => ({ count, tokens });

describe('a search for tools', () => {
  it.each([
    ['push_files', 'push_files'],
    ['mcp_github_merge_pull_request, list_issues', 'list_issues'],
    ['pushing several files', 'push_files'],
    ['comment on an issue', 'addIssueComment'],
    ['look for code', 'search_code'],
    ['labels', 'list_issues'],
    ['MERGE', 'merge_pull_request'],
  ])('finds what does it: %s', (query, name) => {
    const [best] = createHiddenTools(tools, room(24)).find(query);
    expect(best?.does).toBe(name);
  });

  it('finds nothing by words that no tool has, and tells which there are', async () => {
    const hidden = createHiddenTools(tools, room(24));
    const tool = findToolsTool('find_tools', tools, hidden);
    expect(await run(tool, 'weather in Paris')).toBe(
      `No tool was found by these words. There are: ${tools.map(({ does }) => does).join(', ')}`,
    );
    expect(hidden.size()).toBe(tools.length);
  });

  it('offers what it found, and tells what that is', async () => {
    const hidden = createHiddenTools(tools, room(24));
    const tool = findToolsTool('find_tools', tools, hidden);
    expect(await run(tool, 'push_files')).toContain(
      'mcp_github_push_files: Push multiple files to a GitHub repository in a single commit',
    );
    expect(hidden.has('mcp_github_push_files')).toBe(false);
    expect(hidden.has('mcp_github_merge_pull_request')).toBe(true);
  });

  it('names the tools that there are to the model, as far as there is room', () => {
    const many = Array.from({ length: 400 }, (_, n) => ofServer(`some_long_name_of_a_tool_${n}`));
    for (const [all, more] of [
      [tools, /push_files, .*merge_pull_request$/],
      [many, /some_long_name_of_a_tool_0, .* and \d+ more$/],
    ] as const) {
      const { parameters } = findToolsTool('find_tools', all, createHiddenTools(all, room(24)));
      const { query } = parameters.properties as { query: { description: string } };
      expect(query.description).toMatch(more);
      expect(query.description.length).toBeLessThan(1700);
    }
  });

  it('keeps as many as may be offered: the last ones that were found', () => {
    const hidden = createHiddenTools(tools, room(2));
    for (const { name } of tools.slice(0, 3)) hidden.show(name);
    expect(tools.filter(({ name }) => !hidden.has(name)).map(({ does }) => does)).toEqual([
      'create_or_update_file',
      'list_issues',
    ]);
  });

  it('keeps as many as the window of a small model has room for, and at least one', () => {
    const [first] = tools;
    const size = specTokens([first as Tool]);
    for (const [tokens, left] of [
      [size * 2, 2],
      [1, 1],
    ] as const) {
      const hidden = createHiddenTools(tools, room(24, tokens));
      for (const { name } of tools) hidden.show(name);
      expect(tools.length - hidden.size()).toBe(left);
      expect(hidden.has('mcp_github_merge_pull_request')).toBe(false);
    }
  });

  it('tells only what it can offer together', async () => {
    const hidden = createHiddenTools(tools, room(24, 1));
    const said = await run(findToolsTool('find_tools', tools, hidden), 'file repository');
    expect(said.split('\n')).toHaveLength(2);
  });
});

async function run(tool: Tool, query: string): Promise<string> {
  const ids = { userId: 'user', convoId: 'convo', generationId: 'generation', callId: '0:0' };
  const outcome = await tool.run({ ...ids, args: { query }, signal: new AbortController().signal, report() {} });
  return 'text' in outcome ? outcome.text : '';
}
