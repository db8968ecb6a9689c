import type { ComponentType, PropsWithChildren, ReactNode } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form } from '#ui/form.tsx';
import { useFormContext } from '#ui/form-context.ts';
import { FormError, SubmitButton } from '#ui/form-fields.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';

interface FormDialogProps<Values> {
  title: string;
  description?: ReactNode;
  /** Of `useAppForm`; its `onSubmitAsync` closes the dialog when the API has agreed. */
  form: { handleSubmit: () => Promise<unknown>; AppForm: ComponentType<PropsWithChildren> };
  /** The verb on the button: "Create variable". */
  submit: string;
  /** The call that the form makes with what is written in it now. */
  call?: (values: Values) => ApiCall;
  wide?: boolean;
  /** Beside the button that submits: another way to the same. */
  more?: ReactNode;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A form in a dialog: fields, what the API refused, and at the bottom the code and the one verb. */
export function FormDialog<Values>(props: FormDialogProps<Values>) {
  const { title, description, form, submit, call, wide = false, more, onClose, children } = props;
  return (
    <Dialog open onClose={onClose} title={title} wide={wide} {...(description ? { description } : {})}>
      <Form form={form}>
        {children}
        <form.AppForm>
          <FormError />
          <DialogActions aside={call && <CallOfForm call={call} />}>
            {more}
            <SubmitButton>{submit}</SubmitButton>
          </DialogActions>
        </form.AppForm>
      </Form>
    </Dialog>
  );
}

function CallOfForm<Values>({ call }: { call: (values: Values) => ApiCall }) {
  const form = useFormContext();
  return (
    <form.Subscribe selector={(state) => state.values}>
      {(values) => <ViewAsCode call={call(values as Values)} />}
    </form.Subscribe>
  );
}
