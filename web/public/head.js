// Work that cannot wait for the app: this runs before the first paint. It is a separate file because the content
// security policy forbids inline scripts.
(function () {
  const script = document.currentScript;

  // Set the theme before the first paint, so that a dark theme never flashes white.
  const chosen = stored('color-theme');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // Set what sizes the page before the first paint, too.
  for (const name of ['textSize', 'wideMode']) document.documentElement.dataset[name] = stored(name) ?? '';

  // The last user is most likely still signed in: fetch the chat and renew the session right away. The storage keys and
  // the lock are those of web/src/session.
  if (stored('lastUser') !== null && stored('signOutPending') === null) {
    const { chat, read } = script.dataset;
    for (const file of `${chat} ${/^\/c\/.*-/.test(location.pathname) ? read : ''}`.split(' ')) preload(file);
    const renewal = navigator.locks ? navigator.locks.request('parley-refresh', renew) : renew();
    renewal.catch(() => {});
    window.earlyRenewal = renewal;
  }

  function renew() {
    const headers = { 'x-app': '1', 'content-type': 'application/json' };
    return fetch('/trpc/auth.refresh', { method: 'POST', headers, signal: AbortSignal.timeout(15000) });
  }

  function preload(file) {
    if (!file) return;
    const link = document.createElement('link');
    link.rel = file.endsWith('.css') ? 'preload' : 'modulepreload';
    if (file.endsWith('.css')) link.as = 'style';
    // It must match the app's own requests, or the browser fetches the file twice.
    link.crossOrigin = 'anonymous';
    link.href = file;
    document.head.append(link);
  }

  /** Null where the browser forbids storage. */
  function stored(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }
})();
