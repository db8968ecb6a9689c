import { type Role, roles } from '#areas/members/data.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';

const abilities: Record<Role, string> = {
  OWNER:
    'Full access: manages members, roles and API keys, and deletes the organization and its applications.',
  ADMIN: 'Creates and changes applications, variables and overrides, and views the audit log.',
  MEMBER: 'Read-only access, including lookups.',
};

/** What the roles mean. The API enforces them, also for keys that a person made. */
export function RolesCard({ role }: { role: Role | undefined }) {
  return (
    <Card
      title="Roles"
      description="Roles apply in the dashboard, to personal API keys and to OAuth apps. The last owner can neither leave nor change role."
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
