/** How the REST API writes "this message has no parent"; elsewhere it is null. */
export const NO_PARENT = '00000000-0000-0000-0000-000000000000';
