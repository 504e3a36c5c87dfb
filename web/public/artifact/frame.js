// Runs what somebody else wrote, in a frame without an origin: it reaches no cookie, no storage and no other window. That it
// reaches no network is what the headers of this frame say (`server/src/http/security-headers.ts`), and a browser that knows
// `Connection-Allowlist` holds it to that, whatever runs here. Other browsers lack a rule for two ways out, calls between
// browsers and frames within this one, which would bring those back: for them, both are taken away here.
//
// The program shares this realm and may replace everything in it. So what guards it (the default policy, and the listeners)
// uses only primitives that were taken before its first line, and holds nothing by which it could be let out. The shelf
// (`shelf.js`) and its libraries are loaded before that line; afterwards only tables of what it found are left.
{
  const { bind, call } = Function.prototype;
  /** A method as a function of its `this`, which no later change of its prototype reaches. */
  const free = bind.bind(call);
  const getter = (type, name) => free(Object.getOwnPropertyDescriptor(type.prototype, name).get);
  const exec = free(RegExp.prototype.exec);
  const slice = free(String.prototype.slice);
  const floor = Math.floor;
  const now = performance.now.bind(performance);
  const post = free(MessagePort.prototype.postMessage);
  const replaceWith = free(Element.prototype.replaceWith);
  const replaceChildren = free(Element.prototype.replaceChildren);
  const closest = free(Element.prototype.closest);
  const attribute = free(Element.prototype.getAttribute);
  const pathOf = free(Event.prototype.composedPath);
  const prevent = free(Event.prototype.preventDefault);
  const stop = free(Event.prototype.stopImmediatePropagation);
  const isPrevented = getter(Event, 'defaultPrevented');
  const bodyOf = getter(Document, 'body');
  const lengthOf = getter(History, 'length');
  const hostOf = getter(URL, 'hostname');
  const replaceAddress = location.replace.bind(location);
  const [sourceOf, dataOf, portsOf] = ['source', 'data', 'ports'].map((name) => getter(MessageEvent, name));
  const [messageOf, lineOf] = ['message', 'lineno'].map((name) => getter(ErrorEvent, name));
  const [blockedOf, directiveOf] = ['blockedURI', 'effectiveDirective'].map((name) =>
    getter(SecurityPolicyViolationEvent, name),
  );
  const reasonOf = getter(PromiseRejectionEvent, 'reason');
  const [targetOf, submitterOf] = [getter(Event, 'target'), getter(SubmitEvent, 'submitter')];
  const keyOf = getter(KeyboardEvent, 'key');
  const { parent, history, String: text, URL: Address } = window;

  /** Calls between browsers, new windows, and what makes markup that no policy sees. */
  const GONE =
    /^(?:webkit)?RTC|^WebTransport|^XSLT|^DocumentPictureInPicture|^HTMLFencedFrame|^FencedFrame|^Presentation|^TrustedTypePolicy|^(?:open|documentPictureInPicture)$/;
  /** Markup in pieces, of which none brings a frame. */
  const IN_PIECES = /^(?:write|writeln|open|close)$|^stream/;
  const FRAMES = 'iframe frame frameset object embed portal fencedframe applet'.split(' ');
  const CUT = [...FRAMES, 'meta', 'base', 'link'];
  /** In XML a name may have a prefix, and a declaration may hide it. */
  const BRINGS_FRAME = new RegExp(
    `[<:](?:${FRAMES.join('|')})(?=[\\s/>]|$)|<(?:meta|base|link)(?=[\\s/>]|$)|<!entity|<\\?xml-stylesheet|<!doctype[^>]*\\[`,
    'i',
  );
  const IS_FRAMES_PAGE = /srcdoc/i;
  const IS_ADDRESS = /location|href/i;
  /** Such a form only closes its dialog. */
  const IS_DIALOG = /^dialog$/i;
  const IS_ELSEWHERE = /^https?:/i;
  const ERROR_MAX = 2_000;
  /** As many as the page listens to, in a second. */
  const NEWS_MAX = 20;
  /** By which a program hears what is typed. */
  const KEYS =
    'keydown keypress keyup beforeinput input textInput compositionstart compositionupdate compositionend paste cut copy';
  /** Entries after which a browser drops the oldest. */
  const HISTORY_MAX = 50;
  /** Undefined as soon as something foreign may run. */
  let policy = createPolicies();
  /** By which addresses in the program it may load parts of the shelf, and where letters come from. */
  let [served, fontHosts] = [[], []];
  let sent = { second: 0, count: 0 };
  /** The entries of the history, and the changes of the address that made none. */
  const moves = { length: lengthOf(history), own: 0 };
  /** Whether the program hears keys: not with a focus that it has taken from a field of the page. */
  let hearsKeys = true;
  /** How often the focus has gone. */
  let entry = 0;
  /** The page's end of what is told: it has only this frame's own word. */
  let port;

  for (const name of Object.getOwnPropertyNames(window)) if (GONE.test(name)) take(window, name);
  take(window, 'trustedTypes');
  for (const { prototype } of [Document, Element, ShadowRoot])
    for (const name of Object.getOwnPropertyNames(prototype)) if (IN_PIECES.test(name)) delete prototype[name];
  // The history is that of the whole tab: nothing here adds to it or moves in it.
  const { replaceState } = History.prototype;
  History.prototype.pushState = replaceState;
  for (const name of ['back', 'forward', 'go']) History.prototype[name] = () => {};
  HTMLFormElement.prototype.submit = () => tell({ state: 'blocked', address: '' });

  window.addEventListener('message', (event) => {
    if (port || sourceOf(event) !== parent) return;
    port = portsOf(event)[0];
    port.onmessage = (asked) => hear(dataOf(asked));
    tell({ state: 'ready', isSealed: isSealed() });
  });
  window.addEventListener('error', (event) => {
    try {
      tellError(messageOf(event), lineOf(event));
    } catch {
      // What a program fires under this name may be no such event.
    }
  });
  window.addEventListener('unhandledrejection', (event) => tellError(wordsOf(reasonOf(event))));
  document.addEventListener('securitypolicyviolation', (event) => {
    if (!event.isTrusted) return;
    const address = blockedOf(event);
    if (exec(IS_ELSEWHERE, address)) {
      // Without its fonts a page has those of the system.
      if (!isFontHost(hostOf(new Address(address)))) tell({ state: 'blocked', address: slice(address, 0, ERROR_MAX) });
    } else if (directiveOf(event) === 'connect-src') tell({ state: 'blocked', address: '' });
  });
  window.addEventListener(
    'keydown',
    (event) => {
      if (keyOf(event) !== 'F6' || !event.isTrusted) return;
      prevent(event);
      tell({ state: 'left' });
    },
    true,
  );
  for (const name of KEYS.split(' ')) window.addEventListener(name, keepKey, true);
  window.addEventListener('blur', (event) => {
    if (!event.isTrusted) return;
    hearsKeys = false;
    entry++;
  });
  // The page knows how the focus came.
  window.addEventListener('focus', (event) => event.isTrusted && tell({ state: 'focused', entry }));
  for (const name of ['pointerdown', 'touchstart', 'mousedown'])
    window.addEventListener(name, (event) => event.isTrusted && post(port, { state: 'pressed' }), true);
  window.addEventListener('hashchange', (event) => event.isTrusted && tellMove());
  // A link would leave this frame: the page offers to open it apart.
  window.addEventListener(
    'click',
    (event) => {
      const address = linkOf(event);
      if (address === '' || slice(address, 0, 1) === '#') return;
      prevent(event);
      if (event.isTrusted && exec(IS_ELSEWHERE, address))
        tell({ state: 'link', address: slice(address, 0, ERROR_MAX) });
    },
    true,
  );
  // One within it is followed without an entry in the history, after the program's own listeners.
  window.addEventListener('click', (event) => {
    const address = linkOf(event);
    if (slice(address, 0, 1) !== '#' || isPrevented(event)) return;
    prevent(event);
    if (address !== location.hash) moves.own++;
    replaceAddress(address);
  });
  // What no handler of its own has taken is not sent: no policy of the frame lets it.
  window.addEventListener('submit', (event) => {
    const submitter = submitterOf(event);
    const method = (submitter && attribute(submitter, 'formmethod')) ?? attribute(targetOf(event), 'method') ?? '';
    if (isPrevented(event) || exec(IS_DIALOG, method)) return;
    prevent(event);
    tell({ state: 'blocked', address: '' });
  });

  function hear(data) {
    if (data.ping !== undefined) return post(port, { state: 'here', ping: data.ping });
    if (data.keys !== undefined) return hearKeys(data);
    begin(data).catch((error) => tellError(wordsOf(error)));
  }

  function keepKey(event) {
    if (hearsKeys || !event.isTrusted) return;
    stop(event);
    prevent(event);
  }

  /** What is said of a focus that has gone since comes too late. */
  function hearKeys(word) {
    if (!word.keys || word.entry === entry) hearsKeys = word.keys;
  }

  async function begin({ code, kind }) {
    const shelf = window.artifactShelf;
    delete window.artifactShelf;
    served = shelf.addressesIn(code);
    fontHosts = shelf.fontHosts;
    if (kind === 'react') await runApp(shelf, text(code));
    else await runPage(shelf, text(code), kind === 'svg');
    tell({ state: 'running' });
  }

  async function runPage(shelf, code, isSvg) {
    const page = new DOMParser().parseFromString(policy.createHTML(code), 'text/html');
    const plan = shelf.readPage(page);
    for (const name of plan.missing) tellUnknown(name);
    cut(page);
    const root = document.adoptNode(page.documentElement);
    const sheet = document.createElement('style');
    sheet.textContent = isSvg
      ? 'html{background:#fff}body{display:grid;place-items:center;min-height:100vh;margin:0}svg{max-width:100%}'
      : 'html{background:#fff;color:#000;color-scheme:light}';
    root.prepend(sheet);
    document.replaceChild(root, document.documentElement);
    const insert = free(Element.prototype.insertAdjacentHTML);
    const write = (...texts) => insert(document.body, 'beforeend', texts.join(''));
    Object.assign(document, { write, writeln: write, open: () => document, close() {} });
    const tellLoaded = await shelf.servePage(plan, loadPart);
    revive(root);
    tellLoaded();
  }

  /** Parsing runs no script and hears no event. All scripts are made before the first of them runs. */
  function revive(root) {
    for (const element of root.querySelectorAll('*')) {
      for (const name of element.getAttributeNames())
        if (name.startsWith('on')) element.setAttribute(name, element.getAttribute(name));
    }
    const scripts = Array.from(root.querySelectorAll('script'), (old) => ({ old, script: remake(old) }));
    policy = undefined;
    const { length } = scripts;
    for (let n = 0; n < length; n++) replaceWith(scripts[n].old, scripts[n].script);
  }

  function remake(old) {
    const script = document.createElement('script');
    script.async = false;
    const address = old.getAttribute('src');
    for (const name of ['id', 'type', 'nomodule']) {
      if (old.hasAttribute(name)) script.setAttribute(name, old.getAttribute(name));
    }
    if (address !== null) tell({ state: 'blocked', address: address.slice(0, ERROR_MAX) });
    else script.text = policy.createScript(old.textContent);
    return script;
  }

  function cut(root) {
    for (const element of root.querySelectorAll('*')) {
      if (CUT.includes(element.localName.toLowerCase())) element.remove();
      else if (element.localName === 'template') cut(element.content);
      element.removeAttribute('srcdoc');
    }
  }

  async function runApp(shelf, code) {
    const { program, modules, names, show } = await shelf.serveApp(code, loadPart);
    policy = undefined;
    const place = document.createElement('div');
    const module = { exports: {} };
    const need = (name) => {
      const found = modules[name];
      if (found) return found;
      const asked = names[name] ?? text(name);
      tellUnknown(asked);
      throw new Error(`${asked} is not on the shelf.`);
    };
    // To run the program is what this frame is for.
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
    new Function('require', 'module', 'exports', program)(need, module, module.exports);
    let shown = module.exports.default;
    for (const name in module.exports) if (typeof module.exports[name] === 'function') shown ??= module.exports[name];
    if (!shown) throw new Error('It exports no component.');
    replaceChildren(bodyOf(document), place);
    show(shown, place, (error) => tellError(wordsOf(error)));
  }

  /** Before anything foreign runs. */
  function loadPart(path) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.async = false;
      script.src = policy.createScriptURL(path);
      script.onload = () => resolve(script.remove());
      script.onerror = () => reject(new Error(`${path} could not be loaded.`));
      document.head.append(script);
    });
  }

  /** The part that a script tag of the program means: its address, or what that begins with, stands in the program. */
  function partAt(address) {
    const { length } = served;
    for (let n = 0; n < length; n++) {
      const { begins, path } = served[n];
      if (slice(address, 0, begins.length) === begins) return path;
    }
    return null;
  }

  function isFontHost(host) {
    const { length } = fontHosts;
    for (let n = 0; n < length; n++) if (fontHosts[n] === host) return true;
    return false;
  }

  function linkOf(event) {
    try {
      const link = closest(pathOf(event)[0], 'a[href], area[href]');
      return link ? attribute(link, 'href') : '';
    } catch {
      // No element was pressed.
      return '';
    }
  }

  /** The history is that of the whole tab: the page counts what is added to it. */
  function tellMove() {
    if (moves.own > 0) return moves.own--;
    const length = lengthOf(history);
    const grown = length - moves.length;
    if (grown > 0 || length >= HISTORY_MAX) tell({ state: 'moved', entries: grown || 1 });
    moves.length = length;
  }

  function tellUnknown(name) {
    tell({ state: 'unknown', name: slice(text(name), 0, ERROR_MAX) });
  }

  function tellError(message, line = 0) {
    tell({ state: 'failed', message: slice(text(message), 0, ERROR_MAX), line });
  }

  function wordsOf(error) {
    return error?.message ?? error;
  }

  function tell(news) {
    if (!port) return;
    const second = floor(now() / 1000);
    if (sent.second !== second) sent = { second, count: 0 };
    if (++sent.count <= NEWS_MAX) post(port, news);
  }

  /** Of two files of one folder, the headers leave out one: a browser that loads it does not keep to them. */
  function isSealed() {
    const style = getComputedStyle(document.documentElement);
    return style.getPropertyValue('--listed').trim() === '1' && style.getPropertyValue('--unlisted').trim() === '';
  }

  /** Without these, text that becomes markup could bring a frame, and an address that is a script a new page. */
  function createPolicies() {
    const asIs = (given) => given;
    const { trustedTypes } = window;
    if (!trustedTypes) return { createHTML: asIs, createScript: asIs, createScriptURL: asIs };
    trustedTypes.createPolicy('default', {
      createHTML: (given, _type, sink) => (exec(IS_FRAMES_PAGE, sink) || exec(BRINGS_FRAME, given) ? null : given),
      createScript: (given, _type, sink) => (exec(IS_ADDRESS, sink) ? null : given),
      createScriptURL: (address) => (slice(address, 0, 5) === 'blob:' ? address : partAt(address)),
    });
    return trustedTypes.createPolicy('parse', { createHTML: asIs, createScript: asIs, createScriptURL: asIs });
  }

  function take(owner, name) {
    Object.defineProperty(owner, name, { value: undefined, writable: false, configurable: false });
  }
}
