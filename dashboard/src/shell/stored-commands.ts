import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { applicationQuery } from '#areas/applications/data.ts';
import { bucketsQuery, entriesQuery } from '#areas/storage/data.ts';
import type { Command } from '#shell/command-palette.tsx';

const path = '/o/$slug/apps/$applicationId/storage/$bucket' as const;

/** For the palette: buckets of the application of the page, and objects whose keys begin as typed behind `bucket/`. */
export function useStored(typed: string): Command[] {
  const navigate = useNavigate();
  const { slug = '', applicationId = '' } = useParams({ strict: false });
  const search: { environment?: string } = useSearch({ strict: false });
  const isHere = applicationId !== '';
  const { data: application } = useQuery({ ...applicationQuery(applicationId), enabled: isHere });
  const environment = search.environment ?? application?.defaultEnvironmentSlug ?? '';
  const { data: buckets = [] } = useQuery({
    ...bucketsQuery(applicationId, environment),
    enabled: isHere && environment !== '',
  });
  const [wanted = '', ...rest] = typed.split('/');
  const bucket = rest.length > 0 ? buckets.find(({ name }) => name === wanted.trim()) : undefined;
  const prefix = rest.join('/');
  const { data: entries } = useInfiniteQuery({
    ...entriesQuery({ applicationId, environment, bucket: bucket?.name ?? '' }, prefix),
    enabled: bucket !== undefined,
  });
  const open = (name: string, at?: string) =>
    void navigate({
      to: path,
      params: { slug, applicationId, bucket: name },
      search: { environment, ...(at ? { prefix: at } : {}) } as never,
    });
  const found = bucket ? (entries?.pages[0]?.items ?? []) : [];
  return [
    ...buckets.map(({ name }) => ({ label: `Bucket ${name}`, run: () => open(name) })),
    ...found.map((entry) => {
      const key = entry.kind === 'folder' ? entry.prefix : entry.object.key;
      return {
        label: `${entry.kind === 'folder' ? 'Folder' : 'Object'} ${bucket?.name}/${key}`,
        run: () => open(bucket?.name ?? '', key.slice(0, key.lastIndexOf('/') + 1)),
      };
    }),
  ];
}
