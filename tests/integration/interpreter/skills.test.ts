// Files of skills in the code interpreter: below /skills, without a network, within its limits, and of no stranger.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestInterpreter } from '../../support/interpreter/interpreter.ts';
import type { Person } from '../../support/services.ts';

let of: Awaited<ReturnType<typeof openTestInterpreter>>;
let alice: Person;
/** All tests that may share one do: each new kernel takes a second. */
const convoId = randomUUID();

beforeAll(async () => {
  of = await openTestInterpreter();
  alice = await of.services.as('alice');
});
afterAll(() => of.close());

async function save(files: Record<string, string>, { api }: Person = alice) {
  const id = randomUUID();
  const skill = await api.skills.save({ id, name: `s-${id}`, description: 'Runs', body: 'Run it.' });
  for (const [path, content] of Object.entries(files)) await put(id, path, content, api);
  return skill;
}
const put = (id: string, path: string, content: string, { skills } = alice.api) =>
  skills.putFile({ id, path, content: Buffer.from(content).toString('base64') });

it('a script of a skill runs with the files beside it, and what it saves for the person is kept', async () => {
  const { name, key } = await save({
    'scripts/run.py': 'print(open("/skills/NAME/data/words.txt").read().upper())\nopen("made.txt", "w").write("x")',
    'data/words.txt': 'red kites',
  });
  const code = `import runpy\nopen('/tmp/s.py', 'w').write(open('/skills/${name}/scripts/run.py').read().replace('NAME', '${name}'))\n_ = runpy.run_path('/tmp/s.py')`;
  const { type, text, outputs } = await of.run(code, { convoId, keys: [key] });
  expect([type, text]).toEqual(['done', expect.stringContaining('RED KITES')]);
  // Only what lies in the working folder is the person's, not the skill itself.
  expect(outputs.flatMap((output) => ('name' in output ? [output.name] : []))).toEqual(['made.txt']);
});

it('a file that was replaced is the new one at the next call', async () => {
  const { id, name, key } = await save({ 'a.txt': 'old' });
  const code = `print(open('/skills/${name}/a.txt').read())`;
  expect((await of.run(code, { convoId, keys: [key] })).text).toBe('old\n');
  await put(id, 'a.txt', 'new');
  expect((await of.run(code, { convoId, keys: [key] })).text).toBe('new\n');
});

it('code that names no skills gets none, and is told of them only where one is on', async () => {
  const { key } = await save({ 'a.txt': 'x' });
  const own = randomUUID();
  const code = "import os\nprint(os.path.exists('/' + 'skills'))";
  expect((await of.run(code, { convoId: own, keys: [key] })).text).toBe('False\n');
  expect((await of.tool({ keys: [key] })).description).toContain('/skills/<name>');
  expect((await of.tool()).description).not.toContain('/skills');
});

it('a skill of a stranger, or one that was deleted, has no files there', async () => {
  const { id, name, key } = await save({ 'a.txt': 'secret' });
  const bob = await of.services.as('bob');
  const code = `print(open('/skills/${name}/a.txt').read())`;
  const call = { convoId: randomUUID(), keys: [key] };
  const stolen = await of.run(code, { ...call, userId: bob.id });
  expect([stolen.type, stolen.text]).toEqual(['failed', expect.stringContaining('FileNotFoundError')]);
  await alice.api.skills.remove({ id });
  expect((await of.run(code, call)).text).toContain('FileNotFoundError');
});

it('a script that waits is ended with a sentence, and the next call has the files again', async () => {
  const { name, key } = await save({ 'wait.py': 'import time\nwhile True: time.sleep(0.01)', 'a.txt': 'there' });
  const short = of.withLimits({ runMs: 2000 });
  const call = { convoId: randomUUID(), keys: [key] };
  const ended = await short.run(`exec(open('/skills/${name}/wait.py').read())`, call);
  expect([ended.type, ended.text]).toEqual(['failed', expect.stringContaining('took longer than 2 seconds')]);
  const next = await short.run(`print(open('/skills/${name}/a.txt').read())`, call);
  expect([next.type, next.text]).toEqual(['done', expect.stringContaining('there')]);
});
