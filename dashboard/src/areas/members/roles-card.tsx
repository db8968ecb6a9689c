import { type Role, roles } from '#areas/members/data.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';

const abilities: Record<Role, string> = {
  OWNER:
    'Everything: deletes the organization, its applications and keys, invites and removes members, changes roles.',
  ADMIN:
    'Creates and changes: applications, variables, settings, lists. Deletes nothing, sees the audit log.',
  MEMBER: 'Looks at everything that the organization has, and may read what it may know. Changes nothing.',
};

/** What the roles mean. The API enforces them, also for keys that a person made. */
export function RolesCard({ role }: { role: Role | undefined }) {
  return (
    <Card
      title="Roles"
      description="They hold for the dashboard, for a person's own keys, and for programs that act for a person. The last owner can neither leave nor step down."
    >
      <dl className="space-y-3">
        {roles.map(({ value, label }) => (
          <div key={value} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[8rem_1fr]">
            <dt className="flex items-center gap-2 font-medium">
              {label}
              {value === role && <Badge tone="accent">You</Badge>}
            </dt>
            <dd className="text-muted">{abilities[value]}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
