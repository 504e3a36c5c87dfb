import { configure } from '@testing-library/react';

/** A state that has not appeared by then never does, however busy the machine. */
configure({ asyncUtilTimeout: 60_000 });
