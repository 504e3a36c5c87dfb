import classes from './field.module.css';

/** The styles of a labelled field, for the `classNames` of Mantine's inputs. */
export const fieldLook = { label: classes.label, input: classes.input, error: classes.error };

/** The same for a screen that is only a form. */
export const largeFieldLook = { ...fieldLook, input: `${classes.input} ${classes.large}` };
