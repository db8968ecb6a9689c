import type { Node } from './core/parse.ts';
import * as account from './descriptions/account.ts';
import * as describeApi from './descriptions/api.ts';
import * as apps from './descriptions/apps.ts';
import * as deploy from './descriptions/deploy.ts';
import * as env from './descriptions/env.ts';

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
    { description: describeApi.api, load: () => import('./commands/api.ts') },
  ],
};
