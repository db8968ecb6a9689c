import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { DangerCards } from '#areas/applications/danger-cards.tsx';
import { applicationQuery, useApplication, useEnvironments } from '#areas/applications/data.ts';
import { EnvironmentsCard } from '#areas/applications/environments-card.tsx';
import { applicationsKey } from '#areas/applications/queries.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

export function ApplicationSettings() {
  const application = useApplication();
  const can = useCan();
  return (
    <>
      <PageHeader title="Settings" call={{ method: 'GET', path: `/applications/${application.id}` }} />
      <div className="space-y-6">
        {!can('updateApplication') && <Notice>Only admins can change these settings.</Notice>}
        {can('updateApplication') && <GeneralCard key={application.updatedAt} />}
        {can('setApplicationImage') && <PictureCard />}
        <EnvironmentsCard />
        <Card title="Application ID" description="Identifies the application in the API. It never changes.">
          <Mono copy>{application.id}</Mono>
        </Card>
        <DangerCards />
      </div>
    </>
  );
}

interface Values {
  name: string;
  slug: string;
  rootDirectory: string;
  defaultEnvironmentSlug: string;
}

const bodyOf = ({ rootDirectory, ...rest }: Values) => ({
  ...rest,
  rootDirectory: rootDirectory.trim() === '' ? null : rootDirectory.trim(),
});

function GeneralCard() {
  const application = useApplication();
  const environments = useEnvironments();
  const refresh = useRefreshApplication();
  const navigate = useNavigate();
  const path = `/applications/${application.id}`;
  const form = useAppForm({
    defaultValues: {
      name: application.name,
      slug: application.slug,
      rootDirectory: application.rootDirectory ?? '',
      defaultEnvironmentSlug: application.defaultEnvironmentSlug,
    },
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        await api.applications.update(application.id, bodyOf(values));
        await refresh();
        toast.done('Saved');
        await navigate({ to: '.', replace: true });
      }),
    },
  });
  return (
    <Form form={form} className="">
      <Card
        title="General"
        footer={
          <>
            <form.Subscribe selector={(state) => state.values}>
              {(values) => <ViewAsCode call={{ method: 'PATCH', path, body: bodyOf(values) }} />}
            </form.Subscribe>
            <form.AppForm>
              <form.SubmitButton>Save</form.SubmitButton>
            </form.AppForm>
          </>
        }
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <form.AppField name="name">
            {(field) => <field.TextField label="Name" maxLength={128} required />}
          </form.AppField>
          <form.AppField name="slug">
            {(field) => <field.TextField label="Slug" mono required hint="Unique in the organization." />}
          </form.AppField>
          <form.AppField name="rootDirectory">
            {(field) => (
              <field.TextField
                label="Root directory"
                mono
                placeholder="The root of the repository"
                hint="Relative, such as apps/web."
              />
            )}
          </form.AppField>
          <form.AppField name="defaultEnvironmentSlug">
            {(field) => (
              <field.SelectField
                label="Default environment"
                options={environments.map(({ slug, name }) => ({ value: slug, label: name }))}
              />
            )}
          </form.AppField>
        </div>
        <form.AppForm>
          <form.FormError className="mt-4" />
        </form.AppForm>
      </Card>
    </Form>
  );
}

/** What shows the application, and what the routes have loaded of it. */
function useRefreshApplication() {
  const application = useApplication();
  const client = useQueryClient();
  const router = useRouter();
  return async () => {
    await client.invalidateQueries({ queryKey: applicationQuery(application.id).queryKey });
    await client.invalidateQueries({ queryKey: applicationsKey(application.organizationId) });
    await client.refetchQueries({ queryKey: applicationQuery(application.id).queryKey, type: 'all' });
    await router.invalidate();
  };
}

function PictureCard() {
  const application = useApplication();
  const refresh = useRefreshApplication();
  const input = useRef<HTMLInputElement>(null);
  const upload = useAction({
    run: (file: File) => api.applications.setImage(application.id, file).then(refresh),
    done: 'Picture changed',
  });
  const remove = useAction({
    run: () => api.applications.deleteImage(application.id).then(refresh),
    done: 'Picture deleted',
  });
  return (
    <Card title="Picture" description="PNG, JPEG, WebP, GIF or AVIF. Best square.">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar url={application.imageUrl} size="lg" />
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
          aria-label="Picture"
          className="sr-only"
          tabIndex={-1}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) upload.mutate(file);
            target.value = '';
          }}
        />
        <div className="flex gap-2">
          <Button busy={upload.isPending} onClick={() => input.current?.click()}>
            Upload
          </Button>
          {!application.imageUrl.includes('/avatars/') && (
            <Button look="ghost" busy={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}
