import { useQuery } from '@tanstack/react-query';
import { shortId } from '#areas/audit-log/sentence.ts';
import { everyMemberQuery, memberName } from '#areas/members/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';

interface Actor {
  type: string;
  id: string | null;
}

/** Who did it: a member by name, anything else by what it is and the end of its id. */
export function ActorName({ actor }: { actor: Actor }) {
  const organization = useOrganization();
  const { data } = useQuery(everyMemberQuery(organization.id));
  const member = data?.find(({ userId }) => userId === actor.id);
  const isItself = actor.id === organization.id;
  const name = isItself ? `A key of ${organization.name}` : member && memberName(member);
  return <ActorText actor={actor} name={name} />;
}

export function ActorText({ actor, name }: { actor: Actor; name?: string | undefined }) {
  if (name) return <span>{name}</span>;
  if (actor.id === null) return <span className="capitalize">{actor.type}</span>;
  return (
    <span title={actor.id}>
      <span className="capitalize">{actor.type}</span>{' '}
      <span className="font-mono text-xs">{shortId(actor.id)}</span>
    </span>
  );
}
