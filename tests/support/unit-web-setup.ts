/** A state that has not appeared by then never does, however busy the machine. Many files have no document to wait for. */
if (typeof document !== 'undefined') (await import('@testing-library/react')).configure({ asyncUtilTimeout: 60_000 });

export {};
