// A page is parsed before its libraries are there and its scripts run, so that the browser would tell it too early that it
// is loaded. Its scripts and its libraries ask for that, or wait for the events.

/** From now on the page is loading. Returns what ends that, once its scripts have begun. */
export function beginLoading(): () => Promise<void> {
  sayState('loading');
  const [fire, fireAtWindow] = [document.dispatchEvent.bind(document), window.dispatchEvent.bind(window)];
  const [parsed, loaded] = [new Event('DOMContentLoaded', { bubbles: true }), new Event('load')];
  const [last, lastHasRun] = lastModule();
  return async () => {
    if (document.querySelector('script[type="module"]')) {
      document.head.append(last);
      await lastHasRun;
    }
    await new Promise((resolve) => setTimeout(resolve));
    sayState('interactive');
    fire(parsed);
    sayState('complete');
    fireAtWindow(loaded);
  };
}

function sayState(value: DocumentReadyState): void {
  Object.defineProperty(document, 'readyState', { value, configurable: true });
}

/** Modules run later than other scripts, in their order: one that runs behind those of the page, and when it has. */
function lastModule(): [HTMLScriptElement, Promise<unknown>] {
  const script = document.createElement('script');
  script.type = 'module';
  script.async = false;
  script.text = "dispatchEvent(new Event('modules-have-run'))";
  return [script, new Promise((resolve) => window.addEventListener('modules-have-run', resolve, { once: true }))];
}
