import type { Migration } from '#core/migrate.ts';
import { foundation } from './0001_foundation.ts';
import { organizations } from './0030_organizations.ts';
import { webReputation } from './0040_web_reputation.ts';
import { whois } from './0050_whois.ts';
import { people } from './0060_people.ts';
import { userPictures } from './0061_user_pictures.ts';
import { nodes } from './0067_nodes.ts';
import { credentialOrigins } from './0070_credential_origins.ts';
import { userEpochs } from './0071_user_epochs.ts';
import { series } from './0075_series.ts';
import { applications } from './0080_applications.ts';
import { applicationVariables } from './0081_application_variables.ts';
import { domains } from './0082_domains.ts';
import { workloadKeys } from './0083_workload_keys.ts';
import { storage } from './0090_storage.ts';
import { storageDeliveries } from './0091_storage_deliveries.ts';
import { aiGateway } from './0100_ai_gateway.ts';
import { aiOutbox } from './0101_ai_outbox.ts';
import { logDrains } from './0110_log_drains.ts';
import { deployments } from './0120_deployments.ts';
import { services } from './0121_services.ts';
import { schedules } from './0123_schedules.ts';
import { s3 } from './0130_s3.ts';
import { aiProcessBoot } from './0131_ai_process_boot.ts';
import { functionPoints } from './0150_function_points.ts';
import { gatewayAccess } from './0155_gateway_access.ts';
import { aiPriceLists } from './0180_ai_price_lists.ts';
import { aiUserRollups } from './0181_ai_user_rollups.ts';
import { aiUserTotals } from './0182_ai_user_totals.ts';
import { auditActions } from './0210_audit_actions.ts';
import { manualRuns } from './0220_manual_runs.ts';
import { crashes } from './0221_crashes.ts';
import { revokedInvitations } from './0250_revoked_invitations.ts';
import { inlineContents } from './0260_inline_contents.ts';
import { alwaysOn } from './0280_always_on.ts';
import { buildUsage } from './0281_build_usage.ts';
import { deploymentKeys } from './0290_deployment_keys.ts';

/** In order. A migration that has landed is never edited: the next one changes what it made. */
export const migrations: readonly Migration[] = [
  foundation,
  organizations,
  webReputation,
  whois,
  people,
  userPictures,
  nodes,
  credentialOrigins,
  userEpochs,
  series,
  applications,
  applicationVariables,
  domains,
  workloadKeys,
  storage,
  storageDeliveries,
  aiGateway,
  aiOutbox,
  logDrains,
  deployments,
  services,
  schedules,
  s3,
  aiProcessBoot,
  functionPoints,
  gatewayAccess,
  aiPriceLists,
  aiUserRollups,
  aiUserTotals,
  auditActions,
  manualRuns,
  crashes,
  revokedInvitations,
  inlineContents,
  alwaysOn,
  buildUsage,
  deploymentKeys,
];
