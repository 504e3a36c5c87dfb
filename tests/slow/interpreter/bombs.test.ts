import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { denoProgram, findDenoKernel } from '@parley/server/interpreter/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { listKernels, openTestInterpreter } from '../../support/interpreter/interpreter.ts';

let of: Awaited<ReturnType<typeof openTestInterpreter>>;
const convoId = randomUUID();
const run = (code: string) => of.run(code, { convoId });

beforeAll(async () => {
  of = await openTestInterpreter();
});
afterAll(() => of.close());

describe('code that takes too much', () => {
  it('of the memory of Python gets MemoryError and keeps its variables', async () => {
    await run('x = 1');
    const { type, text } = await run('y = bytearray(600 * 1024 * 1024)');
    expect(type).toBe('failed');
    expect(text).toContain('MemoryError');
    expect((await run('x')).text).toContain('1\n');
  });

  it.each([
    ['arrays of JavaScript', 'run_js("const all = []; for (;;) all.push(new Uint8Array(2 ** 24).fill(1))")'],
    ['objects of JavaScript', 'run_js("const all = []; for (;;) all.push({ all: [all.length, {}] })")'],
  ])('of %s ends its process', async (_, code) => {
    const { type, text } = await run(`from pyodide.code import run_js\n${code}`);
    expect(type).toBe('failed');
    expect(text).toMatch(/it needed too much memory|ended unexpectedly/);
    expect((await run('6 * 7')).text).toContain('42\n');
  });

  it('of output is cut', async () => {
    const { type, logs } = await run('for n in range(200_000): print(n)');
    expect(type).toBe('done');
    expect(logs.join('').length).toBeLessThan(66_000);
    expect(logs.join('')).toMatch(/^0\n1\n2\n[^]*The rest of the output is left out/);
  });

  it('of output through the protocol is ended', async () => {
    const line = 'JSON.stringify({ type: "log", id: 1, text: "x".repeat(1000) }) + "\\n"';
    const code = `const line = new TextEncoder().encode(${line}); for (;;) Deno.stdout.writeSync(line)`;
    const { type } = await run(`from pyodide.code import run_js\nrun_js(${JSON.stringify(code)})`);
    expect(type).toBe('failed');
    expect((await run('6 * 7')).text).toContain('42\n');
  });

  it('of files: the first twenty are kept, large ones are not', async () => {
    const { text, outputs } = await run(
      'open("00.bin", "wb").write(bytes(51 * 1024 * 1024))\nfor n in range(30): open(f"{n:02}.txt", "w").write(str(n))',
    );
    expect(text).toContain('"00.bin" was not kept: it is larger than 50 MB.');
    expect(text).toContain('Of 31 files the first 20 were kept.');
    expect(outputs.filter(({ type }) => type === 'file')).toHaveLength(19);
  });
});

describe('processes', () => {
  it('that go on between the calls are ended', async () => {
    await run(
      'from pyodide.code import run_js\nrun_js("new Worker(`data:text/javascript,for(;;);`, { type: `module` })")',
    );
    await expect.poll(listKernels, { timeout: 120_000 }).toEqual([]);
  });

  it('of twenty conversations at once are never more than four; all get an answer', async () => {
    const { run: runApart } = of.withLimits({ waitMs: 120_000 });
    const people = await Promise.all(
      (['alice', 'bob', 'carol', 'dave', 'erin'] as const).map((name) => of.services.as(name)),
    );
    const before = (await listKernels()).length;
    let most = 0;
    const look = setInterval(() => void listKernels().then((all) => (most = Math.max(most, all.length - before))), 50);
    const asked = Array.from({ length: 20 }, (_, n) => runApart(`${n} * 2`, { userId: people[n % 5]?.id ?? '' }));
    const answers = await Promise.all(asked);
    clearInterval(look);
    expect(answers.map(({ text }) => /^\d+$/m.exec(text)?.[0])).toEqual(answers.map((_, n) => String(n * 2)));
    expect(most).toBeLessThanOrEqual(4);
  });

  it('end with their server, also in an endless loop', async () => {
    const { file, args, env, cwd } = await denoProgram(found());
    const child = spawn(file, args, { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    const exit = once(child, 'exit');
    await once(child.stdout, 'data');
    child.stdin.write(`${JSON.stringify({ id: 1, type: 'run', code: 'print(1)\nwhile True: pass' })}\n`);
    await once(child.stdout, 'data');
    child.stdin.end();
    await exit;
  });

  it('start without a snapshot where it is damaged, and make it anew', async () => {
    const { run: runAgain } = of.withLimits({});
    const folder = join(of.services.deps.config.server.dataDir, 'sandbox');
    const snapshots = async () => (await readdir(folder)).filter((name) => name.endsWith('.snapshot'));
    const [name = ''] = await snapshots();
    await writeFile(join(folder, name), 'damaged');
    expect((await runAgain('6 * 7')).text).toContain('42\n');
    expect(await snapshots()).toEqual([]);
    expect((await runAgain('6 * 8')).text).toContain('48\n');
    expect(await snapshots()).toEqual([name]);
  });

  it('start without a snapshot while another server makes it', async () => {
    const folder = join(of.services.deps.config.server.dataDir, 'sandbox');
    const [name = ''] = (await readdir(folder)).filter((one) => one.endsWith('.snapshot'));
    await rm(join(folder, name));
    await writeFile(join(folder, `${name}.lock`), '');
    const { run: runPlain } = of.withLimits({});
    expect((await runPlain('6 * 7')).text).toContain('42\n');
    await rm(join(folder, `${name}.lock`));
  });

  it("are the operator's own where a command is given", async () => {
    const { file, args } = await denoProgram(found());
    const command = [file, ...args].map((word) => `'${word}'`).join(' ');
    const own = await openTestInterpreter({ INTERPRETER_COMMAND: command });
    expect((await own.run('6 * 7')).text).toContain('42\n');
    await own.close();
    const wrong = await openTestInterpreter({ INTERPRETER_COMMAND: 'no-such-program' });
    expect(await wrong.run('1')).toMatchObject({ type: 'failed', text: expect.stringContaining('ended unexpectedly') });
    await wrong.close();
  });
});

function found() {
  const kernel = findDenoKernel(createFolder());
  if (!kernel) throw new Error('There is no Deno for this platform');
  return kernel;
}
