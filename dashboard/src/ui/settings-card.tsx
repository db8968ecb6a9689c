import type { ComponentType, PropsWithChildren, ReactNode } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { Card } from '#ui/card.tsx';
import { Form } from '#ui/form.tsx';
import { FormError, SubmitButton } from '#ui/form-fields.tsx';

interface SettingsCardProps<Values> {
  title: string;
  description?: ReactNode;
  /** Of `useAppForm`. */
  form: {
    handleSubmit: () => Promise<unknown>;
    AppForm: ComponentType<PropsWithChildren>;
    state: { values: Values };
  };
  /** The call that saves what is written in it now. */
  call: (values: Values) => ApiCall;
  /** At the left of the button: a note, another action. */
  aside?: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/** A group of settings that is saved together. */
export function SettingsCard<Values>(props: SettingsCardProps<Values>) {
  const { title, description, form, call, aside, children } = props;
  return (
    <Form form={form} className="">
      <Card
        title={title}
        {...(description ? { description } : {})}
        call={() => call(form.state.values)}
        footer={
          <>
            <div>{aside}</div>
            <form.AppForm>
              <SubmitButton>Save</SubmitButton>
            </form.AppForm>
          </>
        }
      >
        {children}
        <form.AppForm>
          <FormError className="mt-4" />
        </form.AppForm>
      </Card>
    </Form>
  );
}
