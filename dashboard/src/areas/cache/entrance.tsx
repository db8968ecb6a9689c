import { tokenCurl } from '#api/snippets.ts';
import { enterCache } from '#areas/cache/data.ts';
import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';

/** A cache is its application's alone: whoever looks into it does so with a token of that application. */
export function Entrance() {
  const form = useAppForm({
    defaultValues: { token: '' },
    validators: { onSubmitAsync: sending(({ token }: { token: string }) => enterCache(token.trim())) },
  });
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Card
        title="Look into a cache"
        description="Each application has a cache of its own, which nobody else can read: no member, no operator. With a token of one of its keys, this page acts as the application."
      >
        <Form form={form}>
          <form.AppField name="token">
            {(field) => (
              <field.PasswordField
                label="Access token of the application"
                autoComplete="off"
                required
                hint="Kept in the memory of this page only; it ends by itself in minutes."
              />
            )}
          </form.AppField>
          <form.AppForm>
            <form.FormError />
            <form.SubmitButton>Look into it</form.SubmitButton>
          </form.AppForm>
        </Form>
      </Card>
      <Card title="From a terminal">
        <div className="space-y-4">
          <CodeBlock
            label="A token, with a key of the application"
            code={tokenCurl({ id: '$KEY_ID', secret: '$SECRET' }).replaceAll(
              "'$KEY_ID:$SECRET'",
              '"$KEY_ID:$SECRET"',
            )}
          />
          <CodeBlock
            label="Write for an hour, and read"
            code={[
              `curl '${location.origin}/fastcache' -H "Authorization: Bearer $TOKEN" \\`,
              `  --json '{"key":"greeting","value":"hello","expiration":3600}'`,
              `curl '${location.origin}/fastcache?key=greeting' -H "Authorization: Bearer $TOKEN"`,
            ].join('\n')}
          />
        </div>
      </Card>
    </div>
  );
}
