// What Parley changes in postgres.js 3.4.9, where it is installed, until a release has it. A connection that closes while
// a statement is about to be written keeps the bytes and the mark that they wait: when it opens again its first message
// is not sent, so that everybody who gets this connection waits for ten seconds, again and again. Statements that come
// between an error of the socket and its end are never answered. A connection that closes just after it was opened
// rejects a promise that nobody has, which ends the process. See github.com/porsager/postgres, pull requests 1209 and
// 1215.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Each text before its change stands in the file once; every command fails when it does not, as after an upgrade. */
const CHANGES = [
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

/** Every command does this first, so that tests, development and the bundle run the same driver. */
export function patchPostgres(root) {
  const file = `${root}node_modules/postgres/src/connection.js`;
  if (!existsSync(file)) return;
  const source = readFileSync(file, 'utf8');
  if (CHANGES.every(([, after]) => source.includes(after))) return;
  // Renamed, because a server may be reading it.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, patched(source));
  renameSync(unfinished, file);
}

function patched(source) {
  return CHANGES.reduce((text, [before, after]) => {
    if (text.split(before).length !== 2) throw new Error(`postgres.js has changed: ${before}`);
    return text.replace(before, () => after);
  }, source);
}
