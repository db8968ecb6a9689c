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
      description: 'An action, or the beginning of some and an asterisk: `api_key.*`.',
    }),
  ),
  targetType: Type.Optional(Type.String({ maxLength: 100 })),
  targetId: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Not before this moment.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Before this moment.' })),
});

export const AuditFacets = Type.Object(
  {
    actions: Type.Array(Type.String()),
    targetTypes: Type.Array(Type.String()),
    actors: Type.Array(
      Type.Object({
        type: Type.String(),
        id: Type.String(),
        name: Nullable(Type.String({ description: 'Null where what acted is gone.' })),
      }),
    ),
  },
  { title: 'AuditFacets', description: 'What the latest 10,000 records can be filtered by.' },
);

export const AdminAuditQuery = Type.Interface([AuditQuery], {
  organizationId: Type.Optional(Id),
});
