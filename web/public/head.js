// What cannot wait for the app: it runs before the first paint and before the app has arrived. It is a file of its own
// because the content security policy allows no inline script.
(function () {
  const script = document.currentScript;

  // Nobody who chose the dark theme ever sees a white flash.
  const chosen = stored('color-theme');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // Who was signed in here last time most likely still is: the chat and the session are asked for at once. The names
  // are those of web/src/auth.
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
    // The app asks for them so, and anything else would be fetched twice.
    link.crossOrigin = 'anonymous';
    link.href = file;
    document.head.append(link);
  }

  /** A browser that forbids storage remembers nothing. */
  function stored(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }
})();
