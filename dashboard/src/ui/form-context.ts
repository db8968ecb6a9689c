import { createFormHookContexts } from '@tanstack/react-form';

/** What the fields of a form find their form and value by. */
export const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts();
