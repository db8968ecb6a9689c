import type { Node } from './core/parse.ts';
import * as account from './descriptions/account.ts';
import * as describeApi from './descriptions/api.ts';
import * as apps from './descriptions/apps.ts';
import * as deploy from './descriptions/deploy.ts';
import * as env from './descriptions/env.ts';
import * as more from './descriptions/more.ts';
import * as schedules from './descriptions/schedules.ts';
import * as storage from './descriptions/storage.ts';

/** Every command. What one does is loaded when it runs. */

function group(
  name: string,
  summary: string,
  children: readonly Node[],
  aliases: readonly string[] = [],
): Node {
  // A group alone lists.
  const list = children.find(({ description }) => description.name === 'list');
  return {
    description: {
      ...(list?.description.options ? { options: list.description.options } : {}),
      ...(list?.description.examples ? { examples: list.description.examples } : {}),
      name,
      summary,
      aliases,
    },
    children,
    ...(list?.load ? { load: list.load } : {}),
  };
}

export const root: Node = {
  description: { name: 'mainstay', summary: 'The command line of Mainstay' },
  children: [
    { description: account.login, load: () => import('./commands/login.ts') },
    { description: account.logout, load: () => import('./commands/logout.ts') },
    { description: account.whoami, load: () => import('./commands/whoami.ts') },
    group('profiles', 'The instances that you are signed in to', [
      { description: account.profilesList, load: () => import('./commands/profiles-list.ts') },
      { description: account.profilesUse, load: () => import('./commands/profiles-use.ts') },
    ]),
    group('orgs', 'Organizations', [
      { description: account.orgsList, load: () => import('./commands/orgs-list.ts') },
      { description: account.orgsCreate, load: () => import('./commands/orgs-create.ts') },
      { description: account.orgsUse, load: () => import('./commands/orgs-use.ts') },
    ]),
    group('apps', 'Applications', [
      { description: apps.appsList, load: () => import('./commands/apps-list.ts') },
      { description: apps.appsCreate, load: () => import('./commands/apps-create.ts') },
      { description: apps.appsOpen, load: () => import('./commands/apps-open.ts') },
      { description: apps.appsDelete, load: () => import('./commands/apps-delete.ts') },
    ]),
    { description: apps.link, load: () => import('./commands/link.ts') },
    { description: apps.unlink, load: () => import('./commands/unlink.ts') },
    { description: deploy.init, load: () => import('./commands/init.ts') },
    { description: deploy.deploy, load: () => import('./commands/deploy.ts') },
    group('deployments', 'Deployments', [
      { description: deploy.deploymentsList, load: () => import('./commands/deployments-list.ts') },
      { description: deploy.deploymentsInspect, load: () => import('./commands/deployments-inspect.ts') },
      { description: deploy.deploymentsLogs, load: () => import('./commands/deployments-logs.ts') },
      { description: deploy.deploymentsPromote, load: () => import('./commands/deployments-promote.ts') },
      { description: deploy.deploymentsRollback, load: () => import('./commands/deployments-rollback.ts') },
      { description: deploy.deploymentsCancel, load: () => import('./commands/deployments-cancel.ts') },
      { description: deploy.deploymentsRedeploy, load: () => import('./commands/deployments-redeploy.ts') },
    ]),
    group('schedules', 'Functions that are called by the clock', [
      { description: schedules.schedulesList, load: () => import('./commands/schedules-list.ts') },
      { description: schedules.schedulesRun, load: () => import('./commands/schedules-run.ts') },
    ]),
    { description: deploy.logs, load: () => import('./commands/logs.ts') },
    group('env', 'Variables of an application', [
      { description: env.envList, load: () => import('./commands/env-list.ts') },
      { description: env.envSet, load: () => import('./commands/env-set.ts') },
      { description: env.envRemove, load: () => import('./commands/env-remove.ts') },
      { description: env.envPull, load: () => import('./commands/env-pull.ts') },
      { description: env.envPush, load: () => import('./commands/env-push.ts') },
      { description: env.envDiff, load: () => import('./commands/env-diff.ts') },
      { description: env.envRun, load: () => import('./commands/env-run.ts') },
    ]),
    group('domains', 'Hostnames and domains of an application', [
      { description: deploy.domainsList, load: () => import('./commands/domains-list.ts') },
      { description: deploy.domainsAdd, load: () => import('./commands/domains-add.ts') },
      { description: deploy.domainsCheck, load: () => import('./commands/domains-check.ts') },
      { description: deploy.domainsRemove, load: () => import('./commands/domains-remove.ts') },
      { description: deploy.domainsLabel, load: () => import('./commands/domains-label.ts') },
    ]),
    { description: deploy.open, load: () => import('./commands/open.ts') },
    { description: deploy.dev, load: () => import('./commands/dev.ts') },
    group('storage', 'Buckets and objects of an application', [
      { description: storage.storageList, load: () => import('./commands/storage-list.ts') },
      { description: storage.storageCopy, load: () => import('./commands/storage-copy.ts') },
      { description: storage.storageMove, load: () => import('./commands/storage-move.ts') },
      { description: storage.storageRemove, load: () => import('./commands/storage-remove.ts') },
      { description: storage.storageSync, load: () => import('./commands/storage-sync.ts') },
      { description: storage.storagePresign, load: () => import('./commands/storage-presign.ts') },
      { description: storage.storageBucketsCreate, load: () => import('./commands/storage-make-bucket.ts') },
      {
        description: storage.storageBucketsDelete,
        load: () => import('./commands/storage-remove-bucket.ts'),
      },
    ]),
    group('s3', 'Credentials for S3 clients', [
      group('credentials', 'Credentials of the S3 endpoint', [
        { description: storage.s3List, load: () => import('./commands/s3-list.ts') },
        { description: storage.s3Create, load: () => import('./commands/s3-create.ts') },
        { description: storage.s3Revoke, load: () => import('./commands/s3-revoke.ts') },
      ]),
    ]),
    group('cache', 'The cache of an application', [
      { description: more.cacheList, load: () => import('./commands/cache-list.ts') },
      { description: more.cacheGet, load: () => import('./commands/cache-get.ts') },
      { description: more.cacheSet, load: () => import('./commands/cache-set.ts') },
      { description: more.cacheDelete, load: () => import('./commands/cache-delete.ts') },
      { description: more.cacheIncrement, load: () => import('./commands/cache-increment.ts') },
    ]),
    group('ai', 'AI models, usage and budgets', [
      { description: more.aiModels, load: () => import('./commands/ai-models.ts') },
      { description: more.aiChat, load: () => import('./commands/ai-chat.ts') },
      { description: more.aiUsage, load: () => import('./commands/ai-usage.ts') },
      { description: more.aiBudgets, load: () => import('./commands/ai-budgets.ts') },
    ]),
    group('keys', 'API keys', [
      { description: more.keysList, load: () => import('./commands/keys-list.ts') },
      { description: more.keysCreate, load: () => import('./commands/keys-create.ts') },
      { description: more.keysRotate, load: () => import('./commands/keys-rotate.ts') },
      { description: more.keysDelete, load: () => import('./commands/keys-delete.ts') },
    ]),
    group('members', 'Members of an organization', [
      { description: more.membersList, load: () => import('./commands/members-list.ts') },
      { description: more.membersInvite, load: () => import('./commands/members-invite.ts') },
      { description: more.membersRole, load: () => import('./commands/members-role.ts') },
      { description: more.membersRemove, load: () => import('./commands/members-remove.ts') },
    ]),
    { description: more.whois, load: () => import('./commands/whois.ts') },
    { description: more.reputation, load: () => import('./commands/reputation.ts') },
    { description: more.audit, load: () => import('./commands/audit.ts') },
    { description: more.completion, load: () => import('./commands/completion.ts') },
    { description: more.complete, load: () => import('./commands/complete.ts') },
    { description: more.doctor, load: () => import('./commands/doctor.ts') },
    { description: describeApi.api, load: () => import('./commands/api.ts') },
  ],
};
