import { Link, Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useApplication, useEnvironment, useEnvironments } from '#areas/applications/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Select } from '#ui/select.tsx';

/** Above every screen of an application: the way back, its name, and the environment where that matters. */
export function ApplicationFrame() {
  const { slug, name } = useOrganization();
  const application = useApplication();
  const hasEnvironment = useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.environment),
  });
  return (
    <>
      <nav
        aria-label="Application"
        className="mb-5 flex min-h-8 flex-wrap items-center gap-x-1.5 gap-y-2 border-b pb-3"
      >
        <Link
          to="/o/$slug"
          params={{ slug }}
          className="inline-flex min-h-6 items-center rounded-sm text-muted hover:text-ink pointer-coarse:min-h-11"
        >
          {name}
        </Link>
        <ChevronRight aria-hidden className="size-3.5 shrink-0 text-faint" />
        <Avatar url={application.imageUrl} name={application.name} />
        <span className="min-w-0 truncate font-semibold">{application.name}</span>
        {hasEnvironment && <EnvironmentSelect />}
      </nav>
      <Outlet />
    </>
  );
}

function EnvironmentSelect() {
  const environment = useEnvironment();
  const environments = useEnvironments();
  const navigate = useNavigate();
  return (
    <div className="ml-2 w-44">
      <Select
        label="Environment"
        value={environment?.slug ?? ''}
        onChange={(slug) =>
          void navigate({ to: '.', search: (search: object) => ({ ...search, environment: slug }) })
        }
        options={environments.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
    </div>
  );
}
