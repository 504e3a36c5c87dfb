import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attachment } from '@parley/schema/messages/messages';
import { fetchPackages } from '@parley/server/commands/python-packages';
import { presentAttachment } from '@parley/server/files/present';
import { readFileBytes } from '@parley/server/files/read-file';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listKernels, openTestInterpreter, type Call, type Ran } from '../../support/interpreter/interpreter.ts';
import { keepTestFile } from '../../support/uploads.ts';
import { startWheelServer } from '../../support/interpreter/wheels.ts';

/** A file that the code has made, with its bytes. */
async function readMade(outputs: readonly { type: string }[]) {
  const files = outputs.filter((output): output is Attachment => output.type !== 'logs');
  return Promise.all(
    files.map(async (file) => {
      const found = await readFileBytes(of.services.deps, alice, file.fileId, 1_000_000);
      return { file, bytes: Buffer.from(found?.bytes ?? []) };
    }),
  );
}

let of: Awaited<ReturnType<typeof openTestInterpreter>>;
let alice: string;
/** Most tests share a conversation: each new kernel takes a second. */
const convoId = randomUUID();
const run = (code: string, call: Call = {}) => of.run(code, { convoId, ...call });

beforeAll(async () => {
  of = await openTestInterpreter();
  alice = (await of.services.as('alice')).id;
});
afterAll(() => of.close());

describe('a conversation', () => {
  it('gets what the code prints and the value of its last expression', async () => {
    const { type, text, outputs } = await run('import sys\nprint("one")\nprint("two", file=sys.stderr)\nx = 6\nx * 7');
    expect(type).toBe('done');
    expect(text).toContain('one\ntwo\n42\n');
    // Nothing was lost before the first call.
    expect(text).not.toContain('This is a new Python process');
    expect(outputs).toEqual([{ type: 'logs', text: 'one\ntwo\n42\n' }]);
  });

  it('keeps its variables, which no other conversation has', async () => {
    expect(await run('x + 1')).toMatchObject({ type: 'done', text: '7\n' });
    const other = await of.run('x');
    expect(other).toMatchObject({ type: 'failed' });
    expect(other.text).toContain("NameError: name 'x' is not defined");
  });

  it('gets the traceback of an exception, from its own code', async () => {
    const { type, text } = await run('def divide():\n    return 1 / 0\ndivide()');
    expect(type).toBe('failed');
    expect(text).toMatch(/Traceback[^]*line 3, in <module>[^]*return 1 \/ 0[^]*ZeroDivisionError/);
    expect(text).not.toContain('pyodide');
  });

  it.each([
    ['input()', 'EOFError'],
    ['input("Your name? ")', 'EOFError'],
    ['import sys\nsys.stdin.readline() or 1 / 0', 'ZeroDivisionError'],
    ['import os\nos.system("ls")', 'OSError'],
    ['import posix\nposix.system("ls")', 'OSError'],
    ['import os\nos.popen("ls")', 'OSError'],
    ['import subprocess\nsubprocess.run(["ls"])', 'OSError'],
    ['import os\nos.execv("/bin/ls", ["ls"])', 'Error'],
    ['import os\nos.fork()', 'Error'],
    ['import os\nos.posix_spawn("/bin/ls", ["ls"], {})', 'Error'],
    ['import os\nos._exit(1)', 'OSError'],
    ['import os\nos.abort()', 'OSError'],
    ['import os\nos.kill(os.getpid(), 9)', 'OSError'],
    ['import signal\nsignal.raise_signal(signal.SIGABRT)', 'OSError'],
    ['exit()', 'SystemExit'],
    ['import sys\nsys.exit(3)', 'SystemExit'],
  ])('gets an error of Python at once for %j, and keeps its variables', async (code, error) => {
    await run('kept = 6');
    const { type, text } = await run(code);
    expect([type, text]).toEqual(['failed', expect.stringContaining(error)]);
    expect(text).not.toContain('The Python process');
    expect(await run('kept * 7')).toMatchObject({ type: 'done', text: '42\n' });
  });

  it('gets lines while the code runs', async () => {
    const stop = new AbortController();
    const code = 'import time\nprint("begun")\nwhile True: time.sleep(0.01)';
    const { type, logs } = await run(code, { signal: stop.signal, onLog: () => stop.abort() });
    expect({ type, logs }).toEqual({ type: 'failed', logs: ['begun\n'] });
  });

  it('is informed that its variables are gone, and has its files again', async () => {
    await run('open("kept.txt", "w").write("kept")\ny = 1');
    const [pid] = await listKernels();
    process.kill(pid ?? 0, 'SIGKILL');
    await expect.poll(listKernels).toEqual([]);
    const { text } = await run('print(open("kept.txt").read(), "y" in globals())');
    expect(text).toContain('kept False');
    expect(text).toContain('variables of earlier calls are gone');
  });
});

describe('files', () => {
  it('are in the folder when they are attached, each under its own name', async () => {
    const [first, second] = await Promise.all([
      keepTestFile(of.services.deps, alice, { name: 'data.csv', mime: 'text/csv', text: 'a\n1\n' }),
      keepTestFile(of.services.deps, alice, { name: 'data.csv', mime: 'text/csv', text: 'b\n2\n' }),
    ]);
    const files = [first, second].map(presentAttachment);
    const tool = await of.tool({ files });
    expect(tool.description).toContain('"data.csv", "data-2.csv"');
    const { outputs, text } = await run('print(open("data.csv").read() + open("/mnt/data/data-2.csv").read())', {
      files,
    });
    expect(text).toContain('a\n1\nb\n2\n');
    // What was not changed does not come back.
    expect(outputs.map(({ type }) => type)).toEqual(['logs']);
  });

  it('of another user are not there', async () => {
    const bob = await of.services.as('bob');
    const file = await keepTestFile(of.services.deps, bob.id, { name: 'secret.txt' });
    const { text } = await run('import os\nos.listdir()', { files: [presentAttachment(file)] });
    expect(text).not.toContain("'secret.txt'");
    expect(text).toContain('"secret.txt" is not in /mnt/data');
  });

  it('come back when the code makes them: images as images', async () => {
    const png = [
      'import struct, zlib, os',
      'def chunk(kind, data):',
      '    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))',
      'rows = b"".join(b"\\0" + b"\\xff\\0\\0" * 30 for _ in range(20))',
      'picture = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 30, 20, 8, 2, 0, 0, 0))',
      'picture += chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")',
      'os.makedirs("charts")',
      'with open("charts/red.png", "wb") as file: file.write(picture)',
      'with open("table.csv", "w") as file: file.write("größe\\n1\\n")',
    ].join('\n');
    const { text, outputs } = await run(png);
    expect(text).toContain('"charts/red.png", "table.csv"');
    const [image, table] = await readMade(outputs);
    expect(image?.file).toMatchObject({ type: 'image', name: 'red.png', width: 30, height: 20, mime: 'image/png' });
    expect(image?.bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(table?.file).toMatchObject({ type: 'file', name: 'table.csv', mime: 'text/csv' });
    expect(table?.bytes.toString()).toBe('größe\n1\n');
  });
});

describe('the sandbox', () => {
  const refusals = {
    'calls of addresses': 'await fetch("http://127.0.0.1:8080/")',
    'the environment': 'Deno.env.get("PATH")',
    'files of the server': 'Deno.readTextFileSync("/etc/passwd")',
    'files through modules of Node': 'await import("node:fs").then((fs) => fs.readFileSync("/etc/passwd"))',
    'other programs': 'new Deno.Command("/bin/ls").outputSync()',
    'writing beside its folder': 'Deno.writeTextFileSync("/tmp/written", "x")',
    'writing where it may read': 'Deno.writeTextFileSync(new URL("kernel.mjs", options.pyodide), "x")',
    'code of other servers': 'await import("https://example.com/x.mjs")',
    sockets: 'await Deno.connect({ port: 9 })',
    'libraries of the system': 'Deno.dlopen("libc.so.6", {})',
    'ending other processes': 'Deno.kill(Deno.ppid, "SIGTERM")',
    'a cache that other kernels share': 'await caches.open("shared")',
  };

  it(`refuses ${Object.keys(refusals).join(', ')}`, async () => {
    const code = [
      'from pyodide.code import run_js',
      'import json',
      'words = ["NotCapable", "not available", "--no-remote", "Failed to create cache storage"]',
      `for name, code in json.loads(${JSON.stringify(JSON.stringify(refusals))}).items():`,
      '    body = "const options = { pyodide: \'file:///\' }; return (" + code + ")"',
      '    try:',
      '        await run_js("(async () => {" + body + "})")()',
      '        print(name, "- allowed")',
      '    except Exception as error:',
      '        print(name, "-", "refused" if any(word in str(error) for word in words) else error)',
    ].join('\n');
    const { logs } = await run(code);
    const expected = Object.keys(refusals).map((name) => `${name} - refused`);
    expect(logs.join('').trim().split('\n')).toEqual(expected);
  });

  it('gives Python none of the disk', async () => {
    const { text } = await run('import os\n[os.path.exists("/etc/passwd"), os.environ.get("PATH"), os.getcwd()]');
    expect(text).toContain('False');
    const folder = join(of.services.deps.config.server.dataDir, 'sandbox');
    expect(await readdir(join(folder, 'empty'))).toEqual([]);
    expect((await readdir(folder)).toSorted()).toEqual([
      'empty',
      'no-folder',
      expect.stringMatching(/^python-.*\.snapshot$/),
    ]);
  });
});

describe('an endless loop', () => {
  it('is ended after its time; without a free place others are asked to wait', async () => {
    const limited = of.withLimits({ runMs: 3000, atOnce: 1, waitMs: 1 });
    const bob = await of.services.as('bob');
    let waiting: Promise<Ran> | undefined;
    const onLog = () => (waiting ??= limited.run('1', { userId: bob.id }));
    const { type, text, logs } = await limited.run('print("begun")\nwhile True: pass', { onLog });
    expect({ type, logs }).toEqual({ type: 'failed', logs: ['begun\n'] });
    expect(text).toContain('it took longer than 3 seconds. Its variables are gone');
    expect(await waiting).toMatchObject({
      type: 'failed',
      text: expect.stringContaining('No Python process was free'),
    });
  });
});

describe('packages', () => {
  it('are named and can be imported once the operator has fetched them', async () => {
    const { lock, from, close } = await startWheelServer();
    const folder = join(of.services.deps.config.server.dataDir, 'sandbox', 'packages');
    expect((await of.tool()).description).toContain('Only the standard library');
    const info = async () => (await of.interpreter.list(alice))[0];
    expect(await info()).toMatchObject({
      packages: [],
      description: expect.stringContaining('Only the standard library is there, without numpy and matplotlib.'),
    });
    const sentence =
      'There is no package numpy on this server. Only the standard library is there, without numpy and matplotlib. Its operator can add packages with: npm run python-packages';
    const missing = await of.run('import numpy.linalg as la');
    expect(missing.text).toContain(sentence);
    expect(JSON.stringify(missing.outputs)).toContain(sentence);
    await fetchPackages({ lock, names: ['tiny'], from, folder });
    close();
    expect((await of.tool()).description).toContain('tiny 1.0, tiny-base 1.0');
    expect(await info()).toMatchObject({ packages: ['tiny 1.0', 'tiny-base 1.0'] });
    expect((await of.run('import tiny\ntiny.answer')).text).toContain('42\n');
  });
});

describe('kernels', () => {
  it('of two users are apart; a user has one at a time', async () => {
    const { run, interpreter } = of.withLimits({});
    const before = await listKernels();
    const bob = await of.services.as('bob');
    const convoId = randomUUID();
    await run('x = 1', { convoId });
    const { text } = await run('"x" in globals()', { convoId, userId: bob.id });
    expect(text).toContain('False');
    expect(await listKernels()).toHaveLength(before.length + 2);
    await run('1');
    expect(await listKernels()).toHaveLength(before.length + 2);
    await interpreter.close();
    expect(await listKernels()).toEqual(before);
  });

  it('end when they are idle', async () => {
    const { run } = of.withLimits({ idleMs: 1 });
    const before = await listKernels();
    await run('1');
    await expect.poll(listKernels).toEqual(before);
  });
});

describe('INTERPRETER=off', () => {
  it('offers nothing, and says so once', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line) => void lines.push(line) });
    const off = await openTestInterpreter({ INTERPRETER: 'off' }, {}, log);
    expect(await off.interpreter.list(alice)).toEqual([]);
    const chosen = { userId: alice, convoId, files: [], keys: ['code_interpreter'] };
    expect(await off.interpreter.tools(chosen)).toEqual({ tools: [], problems: [] });
    expect(lines).toEqual([expect.stringContaining('INTERPRETER is off.')]);
    await off.close();
  });
});
