import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { usePerson } from '#api/session.ts';
import { applicationsQuery, latestQuery } from '#areas/applications/queries.ts';
import { keysQuery } from '#areas/keys/data.ts';
import { everyMemberQuery, memberName } from '#areas/members/data.ts';
import { organizationsQuery } from '#areas/organizations/data.ts';
import { variablesQuery } from '#areas/variables/data.ts';
import { useCurrentOrganization } from '#shell/current-organization.ts';
import { instanceSections, organizationSections, personSections, type Section } from '#shell/navigation.ts';
import { usePlace, useShown } from '#shell/places.ts';
import { signOut } from '#shell/sign-out.ts';
import { useStored } from '#shell/stored-commands.ts';
import { chooseTheme } from '#shell/theme.ts';
import { backdropClass, modalMark } from '#ui/dialog.tsx';
import { activeHotkeys } from '#ui/hotkeys.ts';
import { Keys } from '#ui/keys.tsx';

export interface Command {
  /** Unique; what is typed is looked for in it, and in the synonyms. */
  label: string;
  synonyms?: string;
  keys?: string;
  run: () => void;
}
interface CommandGroup {
  value: string;
  items: Command[];
}

/** Pages, actions and data by a part of their name; objects of a bucket by `bucket/prefix`. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const groups = useCommands(typed);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Viewport className="fixed inset-0 z-40 flex items-start justify-center p-2 sm:pt-[12vh]">
          <Dialog.Popup
            {...modalMark}
            aria-label="Search"
            className="popup flex max-h-[min(30rem,80dvh)] w-full max-w-lg flex-col overflow-hidden"
          >
            <Autocomplete.Root
              open
              inline
              items={groups}
              value={typed}
              onValueChange={setTyped}
              itemToStringValue={({ label, synonyms = '' }: Command) => `${label} ${synonyms}`}
              autoHighlight="always"
              keepHighlight
            >
              <div className="flex items-center gap-2.5 border-b px-4">
                <Search aria-hidden className="size-4 text-faint" />
                <Autocomplete.Input
                  aria-label="Search"
                  placeholder="Search pages, actions, applications, keys, members"
                  className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
                />
                <Keys text="Esc" />
              </div>
              <Dialog.Close className="sr-only">Close</Dialog.Close>
              <Autocomplete.Empty>
                <div className="px-4 py-8 text-center text-muted">No results.</div>
              </Autocomplete.Empty>
              <Autocomplete.List className="min-h-0 flex-1 scroll-py-1 overflow-y-auto p-1.5 empty:p-0">
                {(group: CommandGroup) => (
                  <Autocomplete.Group key={group.value} items={group.items} className="not-last:mb-2">
                    <Autocomplete.GroupLabel className="px-2 py-1 text-xs text-faint">
                      {group.value}
                    </Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(item: Command) => (
                        <Autocomplete.Item
                          key={item.label}
                          value={item}
                          className="menu-line"
                          onClick={() => {
                            onClose();
                            item.run();
                          }}
                        >
                          <span className="min-w-0 flex-1 truncate">{item.label}</span>
                          {item.keys && <Keys text={item.keys} />}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useCommands(typed: string): CommandGroup[] {
  const navigate = useNavigate();
  const organization = useCurrentOrganization();
  const { data: organizations } = useSuspenseQuery(organizationsQuery);
  const person = usePerson();
  const place = usePlace();
  const isShown = useShown(organization?.id);
  const { slug } = place.params;
  const go = (to: string, search?: object) => () =>
    void navigate({
      to: to as '/o/$slug',
      params: place.params as never,
      ...(search ? { search: search as never } : {}),
    });
  const leadTo = (sections: readonly Section[], prefix = '') =>
    sections.map(({ text, to, keys, synonyms = '' }) => ({
      label: prefix + text,
      synonyms,
      // Keys lead to the sections of the place where somebody is, and to a person's own.
      ...(place.sections.some((one) => one.to === to) || prefix === '' ? { keys } : {}),
      run: go(to),
    }));

  const here = activeHotkeys()
    .filter(({ keys }) => !/^(g |mod\+k$|j$)/.test(keys))
    .map(({ text, keys, run }) => ({ label: text, keys, run }));
  const switches = organizations
    .filter(({ id }) => id !== organization?.id || place.name === 'instance')
    .map((other) => ({
      label: `Switch to ${other.name} (${other.slug})`,
      run: () => void navigate({ to: '/o/$slug', params: { slug: other.slug } }),
    }));
  const always: Command[] = [
    ...(organization && isShown({ to: '/o/$slug/keys', needs: 'createApiKey' })
      ? [
          {
            label: 'Create API key',
            synonyms: 'new token secret',
            run: go('/o/$slug/keys', { create: true }),
          },
        ]
      : []),
    { label: 'Create organization', synonyms: 'new team', run: go('/new-organization') },
    { label: 'Theme: light', run: () => chooseTheme('light') },
    { label: 'Theme: dark', run: () => chooseTheme('dark') },
    { label: 'Theme: system', run: () => chooseTheme('system') },
    {
      label: 'Open the manual',
      synonyms: 'docs documentation help guide',
      run: () => location.assign('/manual/'),
    },
    {
      label: 'Open the API reference',
      synonyms: 'docs documentation openapi',
      run: () => location.assign('/docs'),
    },
    { label: 'Sign out', synonyms: 'log out', run: () => void signOut() },
  ];
  const id = organization?.id ?? '';
  const stored = useStored(typed);
  const { data: keys = [] } = useQuery({
    ...keysQuery({ type: 'organization', organizationId: id }),
    enabled: isShown({ to: '/o/$slug/keys', needs: 'listApiKeys' }),
  });
  const { data: members = [] } = useQuery({
    ...everyMemberQuery(id),
    enabled: isShown({ to: '/o/$slug/members', needs: 'listOrganizationMembers' }),
  });
  const { data: variables = [] } = useQuery({
    ...variablesQuery(id),
    enabled: isShown({ to: '/o/$slug/variables', needs: 'listOrganizationEnvVars' }),
  });
  const { data: applications } = useInfiniteQuery({
    ...applicationsQuery(id, undefined),
    enabled: isShown({ to: '/o/$slug/apps', needs: 'listApplications' }),
  });
  const { data: latest = [] } = useQuery({
    ...latestQuery(id),
    enabled: isShown({ to: '/o/$slug/apps', needs: 'listLatestDeployments' }),
  });
  const data: Command[] = [
    ...(applications?.pages.flatMap(({ items }) => items) ?? []).map((one) => ({
      label: `Application ${one.name} (${one.id.slice(-8)})`,
      synonyms: one.id,
      run: () =>
        void navigate({ to: '/o/$slug/apps/$applicationId', params: { slug, applicationId: one.id } }),
    })),
    ...latest.map(({ applicationId, applicationName, latest: { id: deploymentId, status } }) => ({
      label: `Deployment ${deploymentId.slice(-8)} of ${applicationName} (${status.toLowerCase()})`,
      synonyms: deploymentId,
      run: () =>
        void navigate({
          to: '/o/$slug/apps/$applicationId/deployments/$deploymentId',
          params: { slug, applicationId, deploymentId },
        }),
    })),
    ...stored,
    ...keys.map((key) => ({
      label: `Key ${key.name} (${key.id.slice(-8)})`,
      synonyms: key.id,
      run: () => void navigate({ to: '/o/$slug/keys/$keyId', params: { slug, keyId: key.id } }),
    })),
    ...members.map((member) => ({
      label: `Member ${memberName(member)} (${member.email})`,
      run: () =>
        void navigate({
          to: '/o/$slug/members/$membershipId',
          params: { slug, membershipId: member.membershipId },
        }),
    })),
    ...variables.map(({ key }) => ({
      label: `Variable ${key}`,
      run: go('/o/$slug/variables', { filter: key }),
    })),
  ];
  const others = place.name === 'organization' ? [] : organization ? organizationSections : [];
  return [
    { value: 'On this screen', items: here },
    { value: 'Go to', items: leadTo([...place.sections, ...personSections]) },
    {
      value: organization?.name ?? '',
      items: slug === '' ? [] : leadTo(others.filter(isShown), `${organization?.name}: `),
    },
    {
      value: 'Instance',
      items:
        person.operator && place.name !== 'instance'
          ? leadTo(instanceSections.filter(isShown), 'Instance: ')
          : [],
    },
    { value: 'Organizations', items: switches },
    { value: 'Anywhere', items: always },
    { value: 'Data', items: data },
  ].filter(({ items }) => items.length > 0);
}
