// What the server's bundle changes in postgres.js 3.4.9 until a release has it. A connection that closes while a statement is
// about to be written keeps the bytes and the mark that they wait: when it opens again its first message is not sent, so
// that everybody who gets this connection waits for ten seconds, again and again. Statements that come between an error
// of the socket and its end are never answered. A connection that closes just after it was opened rejects a promise that
// nobody has, which ends the process. See github.com/porsager/postgres, pull requests 1209 and 1215.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Each text stands in the file once; the build fails when it does not, as after an upgrade. */
const CHANGES: readonly [before: string, after: string][] = [
  [
    `function nextWrite(fn) {
    const x = socket.write(chunk, fn)`,
    `function nextWrite(fn) {
    if (!socket) {
      clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      query = null
      return false
    }
    const x = socket.write(chunk, fn)`,
  ],
  // What it fetches has failed with the connection, which rejects the statement that it was opened for.
  ['return fetchArrayTypes()', 'return fetchArrayTypes().catch(() => {})'],
  [
    `clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
    `clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
    socket.removeListener('data', data)`,
  ],
  [
    `if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    closedTime`,
    `!initial && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
    query = results = errorResponse = null
    result = new Result()
    rows = 0
    if (initial)
      return reconnect()

    closedTime`,
  ],
];

export const patchPostgres: Plugin = {
  name: 'patch-postgres',
  setup(build) {
    build.onLoad({ filter: /[\\/]postgres[\\/]src[\\/]connection\.js$/ }, async ({ path }) => {
      return { contents: patched(await readFile(path, 'utf8')), loader: 'js' };
    });
  },
};

function patched(source: string): string {
  return CHANGES.reduce((text, [before, after]) => {
    if (text.split(before).length !== 2) throw new Error(`postgres.js has changed: ${before}`);
    return text.replace(before, () => after);
  }, source);
}
