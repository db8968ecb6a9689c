import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { encode } from 'uqr';
import { idp } from '#api/idp.ts';
import { sessionQuery } from '#api/session.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';

interface TotpSetupDialogProps {
  /** `otpauth://...` */
  uri: string;
  onClose: () => void;
  onDone: () => void;
}

/** The key, as a picture and as text; a code of it proves that the app has it, and only that turns it on. */
export function TotpSetupDialog({ uri, onClose, onDone }: TotpSetupDialogProps) {
  const client = useQueryClient();
  const key = new URL(uri).searchParams.get('secret') ?? '';
  const form = useAppForm({
    defaultValues: { code: '' },
    validators: {
      onSubmitAsync: sending(async ({ code }: { code: string }) => {
        await idp('post', '/idp/two-factor/verify-totp', { body: { code: code.replaceAll(/\s/g, '') } });
        await client.invalidateQueries(sessionQuery);
        onDone();
      }),
    },
  });
  return (
    <Dialog
      open
      sticky
      onClose={onClose}
      title="Scan it with your app"
      description="Then enter the code that the app shows."
    >
      <Form form={form}>
        <QrCode text={uri} />
        <CodeBlock label="Or type this key into the app" code={key} />
        <form.AppField name="code">
          {(field) => (
            <field.TextField
              label="Code"
              mono
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              required
            />
          )}
        </form.AppField>
        <form.AppForm>
          <form.FormError />
          <DialogActions>
            <form.SubmitButton>Turn on</form.SubmitButton>
          </DialogActions>
        </form.AppForm>
      </Form>
    </Dialog>
  );
}

/** Dark on white in both themes: cameras want it so. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { border: 3 });
    const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { size, path: path.join('') };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label="Setup key as a QR code"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded-md border"
    >
      <path d={`M0 0h${size}v${size}h-${size}z`} fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}
