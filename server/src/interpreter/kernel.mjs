// The program of a kernel: Python in WebAssembly, run by Deno without any permission but reading its own folders. It takes
// orders from its standard input and answers on its standard output, one JSON object a line (kernel.ts).
// Never bundled: Deno runs this file as it is.
//
// Python runs in a worker, so that this thread sees the end of the input at any time: a kernel ends with its server, also
// in an endless loop.

/** Of the memory of Python, in bytes. Beyond it Python raises MemoryError. */
const MEMORY_MAX = 512 * 1024 * 1024;
const PAGE = 65_536;
/** Of what one run prints, in bytes. */
const OUTPUT_MAX = 64 * 1024;
/** The folder of files. */
const DATA = '/mnt/data';
/** Files below it have names that are whole paths. */
const SKILLS = '/skills/';
/** Entries of the folder of files that are looked at, in all its folders. */
const ENTRIES_MAX = 1000;

/** Runs cells like a notebook: the value of the last expression is printed, a traceback begins at the cell. */
const CELLS = `
import linecache, os, posix, random, signal, sys, traceback
from pyodide.code import eval_code_async

ERROR_MAX = 8000
count = 0

def start(folder):
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    os.environ['MPLBACKEND'] = 'agg'
    sys.path.append(folder)
    # A snapshot has the same seed each time.
    random.seed()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)
    # Without a system below it, each of these would end the process, and the variables with it.
    for module in (os, posix, signal):
        for name in ('system', '_exit', 'abort', 'kill', 'killpg', 'raise_signal'):
            if hasattr(module, name):
                setattr(module, name, refuse(f'{module.__name__}.{name}'))

def refuse(name):
    def refused(*_, **__):
        raise OSError(f'{name} is not available: Python runs alone here, without other programs')
    return refused

async def run_cell(code, namespace):
    global count
    count += 1
    name = f'<cell {count}>'
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    try:
        value = await eval_code_async(code, namespace, filename=name)
        if value is not None:
            namespace['_'] = value
            print(repr(value))
        return None
    except BaseException as error:
        return describe(error)
    finally:
        for stream in (sys.__stdout__, sys.__stderr__):
            stream.flush()

def describe(error):
    frames = error.__traceback__
    while frames and not frames.tb_frame.f_code.co_filename.startswith('<cell'):
        frames = frames.tb_next
    try:
        text = ''.join(traceback.format_exception(type(error), error, frames))
    except BaseException:
        text = type(error).__name__
    return text if len(text) <= ERROR_MAX else text[:2000] + '\\n...\\n' + text[-ERROR_MAX + 2000:]
`;

const options = JSON.parse(Deno.args[0] ?? '{}');

if (typeof WorkerGlobalScope === 'undefined') await relayOrders();
else await startPython();

/** Hands each line of the input to the worker, and ends the process with the input. */
async function relayOrders() {
  const worker = new Worker(import.meta.url, { type: 'module' });
  worker.onerror = (event) => {
    event.preventDefault();
    console.error(event.message);
    Deno.exit(1);
  };
  worker.onmessage = () => Deno.exit(0);
  let pieces = [];
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const [first, ...others] = text.split('\n');
    pieces.push(first);
    for (const next of others) {
      worker.postMessage(pieces.join(''));
      pieces = [next];
    }
  }
  Deno.exit(0);
}

async function startPython() {
  limitMemory();
  const python = await loadPython();
  if (options.makesSnapshot) {
    python.runPython(
      'import ast, asyncio, csv, io, json, linecache, math, os, random, re, signal, statistics, traceback',
    );
    write(python.makeMemorySnapshot());
    return self.postMessage('end');
  }
  const printer = createPrinter();
  // Nobody types: code that waits for input is told at once that it has ended.
  python.setStdin({ stdin: () => null });
  python.setStdout({ write: printer.stdout });
  python.setStderr({ write: printer.stderr });
  const cells = python.toPy({});
  python.runPython(CELLS, { globals: cells });
  cells.get('start')(DATA);
  const orders = createOrders(python, cells.get('run_cell'), printer);
  let last = Promise.resolve();
  self.onmessage = ({ data }) => {
    last = last.then(() => obey(orders, JSON.parse(data)));
  };
  post({ type: 'ready' });
}

/** The packages are the wheels that the operator has fetched; each is checked and loaded when a cell imports it. */
async function loadPython() {
  const { loadPyodide } = await import(`${options.pyodide}pyodide.mjs`);
  const lock = JSON.parse(await Deno.readTextFile(new URL(`${options.pyodide}pyodide-lock.json`)));
  const packages = options.packages ? JSON.parse(await Deno.readTextFile(`${options.packages}/packages.json`)) : {};
  const ownFolder = decodeURIComponent(new URL(options.pyodide).pathname);
  return loadPyodide({
    indexURL: ownFolder,
    lockFileContents: { ...lock, packages },
    packageCacheDir: options.packages ?? ownFolder,
    packageBaseUrl: 'https://packages.invalid/',
    ...(options.makesSnapshot && { _makeSnapshot: true }),
    ...(options.snapshot && { _loadSnapshot: await Deno.readFile(options.snapshot) }),
  });
}

function limitMemory() {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function growWithin(pages) {
    if (this.buffer.byteLength + pages * PAGE > MEMORY_MAX) throw new RangeError('The limit of memory is reached.');
    return grow.call(this, pages);
  };
}

async function obey(orders, { id, type, ...order }) {
  try {
    post({ id, type: 'done', ...(await orders[type](id, order)) });
  } catch (error) {
    post({ id, type: 'done', error: String(error).slice(0, 1000) });
  }
}

function createOrders(python, runCell, printer) {
  const { FS } = python;
  return {
    ping: () => ({}),
    /** Runs a cell; lists the files that it created or changed. */
    async run(id, { code }) {
      const before = listFiles(FS);
      printer.begin(id);
      await python.loadPackagesFromImports(code, { messageCallback() {}, errorCallback() {} }).catch(() => {});
      const error = await runCell(code, python.globals);
      printer.end();
      const files = [...listFiles(FS)].filter(([name, { stamp }]) => before.get(name)?.stamp !== stamp);
      return { error: error ?? null, files: files.map(([name, { bytes }]) => ({ name, bytes })) };
    },
    /** Appends bytes to a file, or begins it anew. */
    write(_, { name, data, isFirst }) {
      const path = name.startsWith(SKILLS) ? name : `${DATA}/${name}`;
      FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
      const file = FS.open(path, isFirst ? 'w' : 'a');
      const bytes = Uint8Array.fromBase64(data);
      FS.write(file, bytes, 0, bytes.length);
      FS.close(file);
      return {};
    },
    /** Up to `bytes` bytes of a file. */
    read(_, { name, from, bytes }) {
      const file = FS.open(`${DATA}/${name}`, 'r');
      const piece = new Uint8Array(bytes);
      const length = FS.read(file, piece, 0, bytes, from);
      FS.close(file);
      return { data: piece.subarray(0, length).toBase64() };
    },
  };
}

/** The regular files of the folder and its folders: how large they are, and what changes with each write. */
function listFiles(FS) {
  const files = new Map();
  let left = ENTRIES_MAX;
  const walk = (folder) => {
    for (const name of FS.readdir(`${DATA}/${folder}`)) {
      if (name === '.' || name === '..' || name === '__pycache__' || left-- <= 0) continue;
      const path = folder + name;
      const { mode, size, mtime } = FS.lstat(`${DATA}/${path}`);
      if (FS.isDir(mode)) walk(`${path}/`);
      else if (FS.isFile(mode)) files.set(path, { bytes: size, stamp: `${size} ${mtime.getTime()}` });
    }
  };
  walk('');
  return files;
}

/** Tells what is printed as it comes, up to a limit for each run. */
function createPrinter() {
  let id = null;
  let left = 0;
  let decoders = [];
  const print = (stream, bytes) => {
    if (id !== null && left > 0) {
      const text = decoders[stream].decode(bytes.subarray(0, left), { stream: true });
      left -= bytes.length;
      if (text !== '') post({ id, type: 'log', text });
      if (left < 0)
        post({ id, type: 'log', text: '\n[The rest of the output is left out: it is longer than 64 kB.]\n' });
    }
    return bytes.length;
  };
  return {
    begin(next) {
      id = next;
      left = OUTPUT_MAX;
      decoders = [new TextDecoder(), new TextDecoder()];
    },
    end() {
      id = null;
    },
    stdout: (bytes) => print(0, bytes),
    stderr: (bytes) => print(1, bytes),
  };
}

function post(message) {
  write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
}

function write(bytes) {
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}
