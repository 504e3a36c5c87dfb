/** How the wire writes "this message has no parent"; inside Parley it is null. */
export const NO_PARENT = '00000000-0000-0000-0000-000000000000';
