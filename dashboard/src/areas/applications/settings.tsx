import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { DangerCards } from '#areas/applications/danger-cards.tsx';
import { applicationQuery, useApplication, useEnvironments } from '#areas/applications/data.ts';
import { EnvironmentsCard } from '#areas/applications/environments-card.tsx';
import { applicationsKey } from '#areas/applications/queries.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { PictureCard } from '#ui/picture-card.tsx';
import { SettingsCard } from '#ui/settings-card.tsx';
import { toast } from '#ui/toast.ts';

export function ApplicationSettings() {
  const application = useApplication();
  const can = useCan();
  return (
    <>
      <PageHeader title="Settings" call={{ method: 'GET', path: `/applications/${application.id}` }} />
      <div className="space-y-6">
        {!can('updateApplication') && <Notice>Only admins can change these settings.</Notice>}
        {can('updateApplication') && <GeneralCard key={application.updatedAt} />}
        {can('setApplicationImage') && <ImageCard />}
        <EnvironmentsCard />
        <Card
          title="Application ID"
          description="Identifies the application in the API. It cannot be changed."
        >
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
    <SettingsCard
      title="General"
      form={form}
      call={(values: Values) => ({ method: 'PATCH', path, body: bodyOf(values) })}
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
    </SettingsCard>
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

function ImageCard() {
  const { id, imageUrl, name } = useApplication();
  const refresh = useRefreshApplication();
  const upload = useAction({
    run: (file: File) => api.applications.setImage(id, file).then(refresh),
    done: 'Picture changed',
  });
  const remove = useAction({
    run: () => api.applications.deleteImage(id).then(refresh),
    done: 'Picture deleted',
  });
  const isDrawn = imageUrl.includes('/avatars/');
  return <PictureCard url={imageUrl} name={name} upload={upload} remove={isDrawn ? undefined : remove} />;
}
