// What every source of tools does.
import { randomUUID } from 'node:crypto';
import type { Chosen, Tool, ToolSource } from '@parley/server/tools/tool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

export interface SourceUnderTest {
  source: ToolSource;
  /** A user who can choose the keys. */
  userId: string;
  /** Keys that the source knows; at least one of them offers a tool. */
  keys: readonly string[];
  /** Arguments with which the named tools answer `done`; others are not called. */
  args: Readonly<Record<string, Record<string, unknown>>>;
  close?(): Promise<void>;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

export function toolSourceContract(name: string, open: () => Promise<SourceUnderTest>): void {
  describe(`the source of tools ${name}`, () => {
    let opened: SourceUnderTest;
    beforeAll(async () => (opened = await open()));
    afterAll(() => opened?.close?.());

    const chosen = (keys: readonly string[]): Chosen => ({
      userId: opened.userId,
      convoId: randomUUID(),
      keys,
      files: [],
    });
    const toolsOf = async (keys: readonly string[]) => (await opened.source.tools(chosen(keys))).tools;

    function call(tool: Tool, signal: AbortSignal) {
      const ids = { userId: opened.userId, convoId: randomUUID(), generationId: randomUUID(), callId: '0:0' };
      return tool.run({ ...ids, args: opened.args[tool.name] ?? {}, signal, report: () => undefined });
    }

    it('gives its tools names that are valid and unique', async () => {
      const names = (await toolsOf(opened.keys)).map((tool) => tool.name);
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((one) => !NAME.test(one))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    });

    it('describes each of them, with a schema of an object and limits', async () => {
      for (const tool of await toolsOf(opened.keys)) {
        expect(tool.description.trim()).not.toBe('');
        expect(tool.parameters).toMatchObject({ type: 'object' });
        expect(tool.from.source).toBe(opened.source.name);
        expect(tool.limits.timeoutMs).toBeGreaterThan(0);
        expect(tool.limits.outputChars).toBeGreaterThan(0);
      }
    });

    it('ignores keys of other sources, and chooses nothing by itself', async () => {
      expect(await toolsOf([])).toEqual([]);
      expect(await toolsOf([`foreign-${randomUUID()}`, 'mcp:nowhere', 'action:nothing', ''])).toEqual([]);
    });

    it('lists what a user can choose by keys that are unique', async () => {
      const keys = (await opened.source.list(opened.userId)).map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
    });

    it('runs them, and says the result in text', async () => {
      for (const tool of (await toolsOf(opened.keys)).filter((one) => one.name in opened.args)) {
        const outcome = await call(tool, new AbortController().signal);
        expect([tool.name, outcome]).toMatchObject([tool.name, { type: 'done', text: expect.any(String) }]);
      }
    });

    it('ends a run that was stopped, with any outcome or an error', async () => {
      for (const tool of (await toolsOf(opened.keys)).filter((one) => one.name in opened.args)) {
        const stopped = AbortSignal.abort('stop');
        await call(tool, stopped).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
      }
    });
  });
}
