import { Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Id, ListOf, Nullable, Time } from '#http/schema.ts';

const AuditRecord = Type.Object(
  {
    id: Id,
    organizationId: Nullable(Id),
    actor: Type.Object({
      type: Type.String({ description: 'user, organization, application, deployment, function or system.' }),
      id: Nullable(Type.String()),
    }),
    action: Type.String({ description: 'For example `api_key.created`.' }),
    target: Type.Object({ type: Type.String(), id: Nullable(Type.String()) }),
    requestId: Nullable(Type.String()),
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'What changed. Never a secret.' }),
    createdAt: Time,
  },
  { title: 'AuditRecord' },
);

export const AuditList = ListOf(AuditRecord);

export const AuditQuery = Type.Interface([CursorQuery], {
  actorId: Type.Optional(Type.String({ maxLength: 100 })),
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'An action, or a prefix followed by an asterisk: `api_key.*`.',
    }),
  ),
  targetType: Type.Optional(Type.String({ maxLength: 100 })),
  targetId: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only changes at or after this time.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Only changes before this time.' })),
});

export const AuditFacets = Type.Object(
  {
    actions: Type.Array(Type.String()),
    targetTypes: Type.Array(Type.String()),
    actors: Type.Array(
      Type.Object({
        type: Type.String(),
        id: Type.String(),
        name: Nullable(Type.String({ description: 'null if the actor no longer exists.' })),
      }),
    ),
  },
  { title: 'AuditFacets', description: 'Values found in the latest 10,000 records.' },
);

export const AdminAuditQuery = Type.Interface([AuditQuery], {
  organizationId: Type.Optional(Id),
});
