// A page is parsed before its libraries are there and its scripts run, so that the browser would tell it too early that it
// is loaded. Its scripts and its libraries ask for that, or wait for the events.

/**
 * From now on the page is loading. Call what this returns when its scripts stand in it, before they run: it takes all that it
 * needs then. What that returns in turn ends the loading, once they have begun.
 */
export function beginLoading(): () => () => void {
  sayState('loading');
  return () => {
    const later = window.setTimeout;
    const { defineProperty } = Object;
    const [fire, fireAtWindow] = [document.dispatchEvent.bind(document), window.dispatchEvent.bind(window)];
    const [parsed, loaded] = [new Event('DOMContentLoaded', { bubbles: true }), new Event('load')];
    const end = () =>
      later(() => {
        defineProperty(document, 'readyState', stateOf('interactive'));
        fire(parsed);
        defineProperty(document, 'readyState', stateOf('complete'));
        fireAtWindow(loaded);
      });
    if (!document.querySelector('script[type="module"]')) return end;
    window.addEventListener(MODULES_HAVE_RUN, end, { once: true });
    const append = document.head.append.bind(document.head, lastModule());
    return () => append();
  };
}

const MODULES_HAVE_RUN = 'modules-have-run';

function sayState(value: DocumentReadyState): void {
  Object.defineProperty(document, 'readyState', stateOf(value));
}

/** Without what a program may have given every object. */
function stateOf(value: DocumentReadyState): PropertyDescriptor {
  return { __proto__: null, value, configurable: true } as PropertyDescriptor;
}

/** Modules run later than other scripts, in their order: one that runs behind those of the page. */
function lastModule(): HTMLScriptElement {
  const script = document.createElement('script');
  script.type = 'module';
  script.async = false;
  script.text = `dispatchEvent(new Event('${MODULES_HAVE_RUN}'))`;
  return script;
}
