import type { Migration } from '#core/migrate.ts';

/** Providers of models, what may be spent on them, and what was. Money is in nano-dollars unless a name says micros. */
export const aiGateway: Migration = {
  name: '0100_ai_gateway',
  async up(tx, { id, text: textType, bytes, integer }) {
    const { schema } = tx;
    const text = textType as 'text';

    await schema
      .createTable('ai_providers')
      .addColumn('id', id, (c) => c.primaryKey())
      // The empty string stands for the instance: null would make every row unique.
      .addColumn('organization_id', text, (c) => c.notNull())
      .addColumn('slug', text, (c) => c.notNull())
      .addColumn('type', text, (c) => c.notNull())
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('base_url', text)
      .addColumn('zdr', integer, (c) => c.notNull())
      .addColumn('priority', integer, (c) => c.notNull())
      .addColumn('enabled', integer, (c) => c.notNull())
      .addColumn('allow_private', integer, (c) => c.notNull())
      .addColumn('models', text)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addUniqueConstraint('ai_providers_slug', ['organization_id', 'slug'])
      .execute();
    await schema
      .createTable('ai_credentials')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('provider_id', id, (c) => c.notNull().references('ai_providers.id').onDelete('cascade'))
      .addColumn('name', text, (c) => c.notNull())
      .addColumn('api_key', bytes, (c) => c.notNull())
      .addColumn('hint', text, (c) => c.notNull())
      .addColumn('weight', integer, (c) => c.notNull())
      .addColumn('enabled', integer, (c) => c.notNull())
      .execute();
    await schema.createIndex('ai_credentials_provider').on('ai_credentials').column('provider_id').execute();

    await schema
      .createTable('ai_models')
      .addColumn('id', text, (c) => c.primaryKey())
      .addColumn('body', text, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .execute();
    await schema
      .createTable('ai_aliases')
      .addColumn('organization_id', id, (c) => c.notNull().references('organizations.id').onDelete('cascade'))
      .addColumn('alias', text, (c) => c.notNull())
      .addColumn('models', text, (c) => c.notNull())
      .addPrimaryKeyConstraint('ai_aliases_pk', ['organization_id', 'alias'])
      .execute();
    await schema
      .createTable('ai_policies')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull().references('organizations.id').onDelete('cascade'))
      .addColumn('application_id', text, (c) => c.notNull())
      .addColumn('api_key_id', text, (c) => c.notNull())
      .addColumn('body', text, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addUniqueConstraint('ai_policies_subject', ['organization_id', 'application_id', 'api_key_id'])
      .execute();

    await schema
      .createTable('ai_budgets')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull().references('organizations.id').onDelete('cascade'))
      .addColumn('application_id', text, (c) => c.notNull())
      .addColumn('user_id', text, (c) => c.notNull())
      .addColumn('api_key_id', text, (c) => c.notNull())
      .addColumn('period', text, (c) => c.notNull())
      .addColumn('max_cost_micros', integer)
      .addColumn('max_requests', integer)
      .addColumn('max_tokens', integer)
      .addColumn('max_request_cost_micros', integer)
      .addColumn('enabled', integer, (c) => c.notNull())
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('updated_at', integer, (c) => c.notNull())
      .addUniqueConstraint('ai_budgets_subject', [
        'organization_id',
        'application_id',
        'user_id',
        'api_key_id',
        'period',
      ])
      .execute();

    // What was used of a budget in a window, and what processes hold for requests under way.
    await schema
      .createTable('ai_ledger')
      .addColumn('budget_id', id, (c) => c.notNull().references('ai_budgets.id').onDelete('cascade'))
      .addColumn('window_start', integer, (c) => c.notNull())
      .addColumn('used_nanos', integer, (c) => c.notNull())
      .addColumn('used_requests', integer, (c) => c.notNull())
      .addColumn('used_tokens', integer, (c) => c.notNull())
      .addColumn('held_nanos', integer, (c) => c.notNull())
      .addColumn('held_requests', integer, (c) => c.notNull())
      .addColumn('held_tokens', integer, (c) => c.notNull())
      .addColumn('warned', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('ai_ledger_pk', ['budget_id', 'window_start'])
      .execute();
    await schema
      .createTable('ai_processes')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('beat_at', integer, (c) => c.notNull())
      .execute();
    await schema
      .createTable('ai_leases')
      .addColumn('process_id', id, (c) => c.notNull().references('ai_processes.id').onDelete('cascade'))
      .addColumn('budget_id', id, (c) => c.notNull().references('ai_budgets.id').onDelete('cascade'))
      .addColumn('window_start', integer, (c) => c.notNull())
      .addColumn('nanos', integer, (c) => c.notNull())
      .addColumn('requests', integer, (c) => c.notNull())
      .addColumn('tokens', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('ai_leases_pk', ['process_id', 'budget_id', 'window_start'])
      .execute();

    // Requests under way, written before a provider is asked: what a dead process leaves behind is closed from these.
    await schema
      .createTable('ai_pending')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('process_id', id, (c) => c.notNull().references('ai_processes.id'))
      .addColumn('organization_id', id, (c) => c.notNull())
      .addColumn('holds', text, (c) => c.notNull())
      .addColumn('event', text, (c) => c.notNull())
      .execute();
    await schema
      .createIndex('ai_pending_organization')
      .on('ai_pending')
      .columns(['organization_id', 'id'])
      .execute();
    await schema.createIndex('ai_pending_process').on('ai_pending').column('process_id').execute();

    await schema
      .createTable('ai_events')
      .addColumn('id', id, (c) => c.primaryKey())
      .addColumn('organization_id', id, (c) => c.notNull())
      .addColumn('application_id', id)
      .addColumn('request_id', text, (c) => c.notNull())
      .addColumn('model', text, (c) => c.notNull())
      .addColumn('provider', text)
      .addColumn('status', text, (c) => c.notNull())
      .addColumn('user_id', text)
      .addColumn('end_user_id', text)
      .addColumn('started_at', integer, (c) => c.notNull())
      .addColumn('event', text, (c) => c.notNull())
      .execute();
    const indexes: Record<string, string[]> = {
      ai_events_organization: ['organization_id', 'id'],
      ai_events_model: ['organization_id', 'model', 'id'],
      ai_events_status: ['organization_id', 'status', 'id'],
      ai_events_request: ['organization_id', 'request_id'],
    };
    for (const [name, columns] of Object.entries(indexes))
      await schema.createIndex(name).on('ai_events').columns(columns).execute();

    await schema
      .createTable('ai_rollups')
      .addColumn('organization_id', id, (c) => c.notNull())
      // An hour, or a day where `size` says so.
      .addColumn('bucket', integer, (c) => c.notNull())
      .addColumn('size', text, (c) => c.notNull())
      .addColumn('application_id', text, (c) => c.notNull())
      .addColumn('model', text, (c) => c.notNull())
      .addColumn('provider', text, (c) => c.notNull())
      .addColumn('user_id', text, (c) => c.notNull())
      .addColumn('requests', integer, (c) => c.notNull())
      .addColumn('successes', integer, (c) => c.notNull())
      .addColumn('errors', integer, (c) => c.notNull())
      .addColumn('input_tokens', integer, (c) => c.notNull())
      .addColumn('output_tokens', integer, (c) => c.notNull())
      .addColumn('nanos', integer, (c) => c.notNull())
      .addColumn('latency_ms', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('ai_rollups_pk', [
        'organization_id',
        'size',
        'bucket',
        'application_id',
        'model',
        'provider',
        'user_id',
      ])
      .execute();

    // Ids that a provider made (videos, stored responses, files): theirs, on the credential that made them.
    await schema
      .createTable('ai_objects')
      .addColumn('id', text, (c) => c.notNull())
      .addColumn('organization_id', id, (c) => c.notNull())
      .addColumn('kind', text, (c) => c.notNull())
      .addColumn('provider_id', text, (c) => c.notNull())
      .addColumn('credential_id', text)
      .addColumn('model', text, (c) => c.notNull())
      .addColumn('event_id', id)
      .addColumn('state', text)
      .addColumn('created_at', integer, (c) => c.notNull())
      .addColumn('expires_at', integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('ai_objects_pk', ['organization_id', 'kind', 'id'])
      .execute();
    await schema.createIndex('ai_objects_expiry').on('ai_objects').column('expires_at').execute();

    // Keys of the AI gateway are presented as they are, without their id.
    await schema.createIndex('api_key_secrets_digest').on('api_key_secrets').column('digest').execute();
  },
};
