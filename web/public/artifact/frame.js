// Runs what somebody else wrote, in a frame without an origin: it reaches no cookie, no storage and no other window, and,
// by the policy of this frame, no network. What a policy does not stop is taken away here, before anything of it runs:
// calls between browsers, and frames within this one, which would bring them back.
{
  const GONE = [
    'RTCPeerConnection',
    'webkitRTCPeerConnection',
    'RTCDataChannel',
    'RTCIceTransport',
    'WebTransport',
    'XSLTProcessor',
    'open',
  ];
  for (const name of GONE)
    Object.defineProperty(window, name, { value: undefined, writable: false, configurable: false });

  const FRAMES = 'iframe frame frameset object embed portal fencedframe applet'.split(' ');
  const CUT = [...FRAMES, 'meta', 'base', 'link'];
  /** In XML a name may have a prefix. */
  const IS_FRAME = new RegExp(`[<:](?:${FRAMES.join('|')})(?=[\\s/>]|$)`, 'i');
  const IS_CUT = /<(?:meta|base|link)(?=[\s/>]|$)/i;
  const IS_XML_OF_PARTS = /<!entity|<\?xml-stylesheet|<!doctype[^>]*\[/i;
  const ERROR_MAX = 2_000;
  /** As many as the page listens to, in a second. */
  const NEWS_MAX = 20;
  const policy = createPolicies();
  /** Of `shelf.js`, which is loaded after this script and before anything foreign runs. */
  let shelf;
  const { parent } = window;
  const post = parent.postMessage.bind(parent);
  let sent = { second: 0, count: 0 };
  let hasBegun = false;

  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { value: storeInMemory(), configurable: true });

  window.addEventListener('message', ({ source, data }) => {
    if (source !== parent || typeof data !== 'object' || data === null) return;
    if ('ping' in data) return post({ state: 'here' }, '*');
    if (hasBegun) return;
    hasBegun = true;
    begin(data).catch((error) => tellError(error?.message ?? error));
  });
  window.addEventListener('error', ({ message, lineno }) => tellError(message, lineno));
  window.addEventListener('unhandledrejection', ({ reason }) => tellError(reason?.message ?? reason));
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
    // Without its fonts a page has those of the system.
    if (shelf?.isFontAddress(blockedURI)) return;
    if (/^https?:/.test(blockedURI)) tell({ state: 'blocked', address: blockedURI.slice(0, ERROR_MAX) });
    else if (effectiveDirective === 'connect-src') tell({ state: 'blocked', address: '' });
  });
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'F6' || !event.isTrusted) return;
      event.preventDefault();
      tell({ state: 'left' });
    },
    true,
  );
  // A link would leave this frame: the page offers to open it apart.
  window.addEventListener(
    'click',
    (event) => {
      const link = event.composedPath().find((one) => one instanceof Element && one.closest('a[href], area[href]'));
      const address = link?.closest('a[href], area[href]')?.getAttribute('href') ?? '';
      if (address === '' || address.startsWith('#')) return;
      event.preventDefault();
      if (event.isTrusted && /^https?:\/\//i.test(address))
        tell({ state: 'link', address: address.slice(0, ERROR_MAX) });
    },
    true,
  );

  async function begin({ code, kind }) {
    shelf = window.artifactShelf;
    delete window.artifactShelf;
    if (kind === 'react') await runApp(String(code));
    else await runPage(String(code), kind === 'svg');
    tell({ state: 'running' });
  }

  async function runPage(code, isSvg) {
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
    document.write = (...texts) => document.body.insertAdjacentHTML('beforeend', texts.join(''));
    document.writeln = document.write;
    const tellLoaded = await shelf.servePage(plan, loadScript);
    revive(root);
    await tellLoaded();
  }

  /** Parsing runs no script and hears no event. */
  function revive(root) {
    for (const element of root.querySelectorAll('*')) {
      for (const name of element.getAttributeNames())
        if (name.startsWith('on')) element.setAttribute(name, element.getAttribute(name));
    }
    for (const old of root.querySelectorAll('script')) {
      const script = document.createElement('script');
      script.async = false;
      const address = old.getAttribute('src');
      for (const name of ['id', 'type', 'nomodule']) {
        if (old.hasAttribute(name)) script.setAttribute(name, old.getAttribute(name));
      }
      if (address !== null) tell({ state: 'blocked', address: address.slice(0, ERROR_MAX) });
      else script.text = policy.createScript(old.textContent);
      old.replaceWith(script);
    }
  }

  function cut(root) {
    for (const element of root.querySelectorAll('*')) {
      if (CUT.includes(element.localName.toLowerCase())) element.remove();
      else if (element.localName === 'template') cut(element.content);
      element.removeAttribute('srcdoc');
    }
  }

  async function runApp(code) {
    const { program, find, show } = await shelf.serveApp(code, loadScript);
    const module = { exports: {} };
    const need = (name) => {
      const found = find(name);
      if (found) return found;
      tellUnknown(shelf.nameOf(name));
      throw new Error(`${shelf.nameOf(name)} is not on the shelf.`);
    };
    // To run the program is what this frame is for.
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
    new Function('require', 'module', 'exports', program)(need, module, module.exports);
    const place = document.createElement('div');
    document.body.replaceChildren(place);
    const shown = module.exports.default ?? Object.values(module.exports).find((one) => typeof one === 'function');
    if (!shown) throw new Error('It exports no component.');
    show(shown, place, (error) => tellError(error?.message ?? error));
  }

  function loadScript(path) {
    return new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.async = false;
      script.src = policy.createScriptURL(path);
      script.onload = () => resolve(script.remove());
      script.onerror = () => reject(new Error(`${path} could not be loaded.`));
      document.head.append(script);
    });
  }

  function tellUnknown(name) {
    tell({ state: 'unknown', name: String(name).slice(0, ERROR_MAX) });
  }

  function tellError(message, line = 0) {
    tell({ state: 'failed', message: String(message).slice(0, ERROR_MAX), line });
  }

  function tell(news) {
    const second = Math.floor(performance.now() / 1000);
    if (sent.second !== second) sent = { second, count: 0 };
    if (++sent.count <= NEWS_MAX) post(news, '*');
  }

  /** Without these, text that becomes markup could bring a frame, and an address that is a script a new page. */
  function createPolicies() {
    const asIs = (text) => text;
    const { trustedTypes } = window;
    if (!trustedTypes) return { createHTML: asIs, createScript: asIs, createScriptURL: asIs };
    trustedTypes.createPolicy('default', {
      createHTML: (text, _type, sink) => (/srcdoc/i.test(sink) || bringsFrame(text) ? null : text),
      createScript: (text, _type, sink) => (/^location|href/i.test(sink) ? null : text),
      createScriptURL: (address) => (address.startsWith('blob:') ? address : (shelf?.pathOf(address) ?? null)),
    });
    return trustedTypes.createPolicy('parse', { createHTML: asIs, createScript: asIs, createScriptURL: asIs });
  }

  function bringsFrame(text) {
    return IS_FRAME.test(text) || IS_CUT.test(text) || IS_XML_OF_PARTS.test(text);
  }

  /** As ordinary code expects one; it ends with the frame. */
  function storeInMemory() {
    const kept = new Map();
    const methods = {
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: (n) => [...kept.keys()][n] ?? null,
    };
    return new Proxy(methods, {
      get: (_, key) => (key === 'length' ? kept.size : (methods[key] ?? kept.get(key))),
      set: (_, key, value) => kept.set(String(key), String(value)) && true,
      deleteProperty: (_, key) => kept.delete(key) || true,
    });
  }
}
