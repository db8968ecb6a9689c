import { useQuery } from '@tanstack/react-query';
import { everyMemberQuery, memberName } from '#areas/members/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';

interface Actor {
  type: string;
  id: string | null;
}

/** Who did it: a member by name, anything else by what it is and the beginning of its id. */
export function ActorName({ actor }: { actor: Actor }) {
  const organization = useOrganization();
  const { data } = useQuery(everyMemberQuery(organization.id));
  const member = data?.find(({ userId }) => userId === actor.id);
  return <ActorText actor={actor} name={member && memberName(member)} />;
}

export function ActorText({ actor, name }: { actor: Actor; name?: string | undefined }) {
  if (name) return <span>{name}</span>;
  if (actor.id === null) return <span className="capitalize">{actor.type}</span>;
  return (
    <span title={actor.id}>
      <span className="capitalize">{actor.type}</span>{' '}
      <span className="font-mono text-xs">{actor.id.slice(0, 8)}</span>
    </span>
  );
}
