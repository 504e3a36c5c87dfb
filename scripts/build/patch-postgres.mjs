// What Parley changes in postgres.js 3.4.9, where it is installed, until a release has it. A connection that closes while
// a statement is about to be written keeps the bytes and the mark that they wait: when it opens again its first message
// is not sent, so that everybody who gets this connection waits for ten seconds, again and again. Statements that come
// between an error of the socket and its end are never answered. A connection that closes just after it was opened
// rejects a promise that nobody has, which ends the process. See github.com/porsager/postgres, pull requests 1209 and
// 1215. A COPY pauses the socket while its reader is behind, and only the reader's next read resumes it: when the stream
// ends, fails or is destroyed meanwhile, there is no next read and the connection is silent forever. A COPY that the
// server refuses at its end never tells its writer.
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
  // The reader has everything then, and the socket has other messages.
  [
    `stream && stream.push(null)
    stream = null`,
    `stream && (stream.push(null), socket.resume())
    stream = null`,
  ],
  // What a destroyed stream has not read is dropped, so that the connection can be used again. A failure that comes with
  // the first bytes is emitted before the caller has the stream; reading it fails all the same.
  [
    `stream = new Stream.Readable({
      read() { socket.resume() }
    })
    query`,
    `stream = new Stream.Readable({
      read() { socket.resume() },
      destroy(error, callback) {
        callback(error)
        if (stream !== this)
          return
        stream = null
        socket && socket.resume()
      }
    })
    stream.on('error', noop)
    query`,
  ],
  // A stream that has ended destroys itself afterwards, when the connection may be closed or in another COPY.
  [
    `destroy(error, callback) {
        callback(error)
        socket.write(b().f().str(error + b.N).end())
        stream = null
      },
      final(callback) {
        socket.write(b().c().end())
        final = callback
        stream = null`,
    `destroy(error, callback) {
        callback(error)
        if (stream !== this)
          return
        stream = null
        socket && socket.write(b().f().str(error + b.N).end())
      },
      final(callback) {
        socket.write(b().c().end())
        final = callback
        stream = null`,
  ],
  [
    `if (query) {
      if (errorResponse) {
        query.retried`,
    `if (query) {
      if (errorResponse) {
        final && (final(errorResponse), final = null)
        query.retried`,
  ],
  [
    `errored(err)
    while (sent.length)`,
    `final && (final(err), final = null)
    errored(err)
    while (sent.length)`,
  ],
  // A pool that is told to end between the error of a socket and its close would wait forever.
  [
    'hadError && options.shared.retries++',
    `ended && (ended(), ending = ended = null)
    hadError && options.shared.retries++`,
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
    // An earlier version of Parley has made some of them.
    if (text.includes(after)) return text;
    if (text.split(before).length !== 2) throw new Error(`postgres.js has changed: ${before}`);
    return text.replace(before, () => after);
  }, source);
}
