import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { engines } from './engines.ts';
import { type Instance, startInstance } from './instance.ts';
import { storageOf } from './storage.ts';

/** Every operation that takes an environment is asked with one of another application, and of another organization. */

interface Operation {
  operationId: string;
  method: string;
  path: string;
  /** What stands in its query. */
  query: Record<string, string>;
}

const sha256 = createHash('sha256').update('x').digest('hex');

/** The bodies of the operations that have one; those whose body names the environment are given it. */
const bodies: Record<string, (environment: string) => object> = {
  createApiKey: (environmentId) => ({ name: 'x', applicationId: '{applicationId}', environmentId }),
  purgeGatewayCache: (environment) => ({ environment }),
  createApplicationEnvVar: (environmentId) => ({ key: 'X', value: 'x', environmentId }),
  copyApplicationEnvVars: (from) => ({ from, to: 'preview' }),
  importApplicationEnvVars: (environmentId) => ({ content: 'X=x', environmentId }),
  updateEnvironment: () => ({ name: 'x' }),
  updateEnvironmentProtection: () => ({ enabled: true }),
  createShareLink: () => ({ deploymentId: '{objectId}' }),
  createStorageBucket: (environment) => ({ name: 'another', environment }),
  copyStorageObject: () => ({ key: 'copy' }),
  moveStorageObject: () => ({ key: 'moved' }),
  updateStorageObjectProperties: () => ({ contentType: 'text/plain' }),
  updateStorageBucketSettings: () => ({ visibility: 'public' }),
  createStorageUpload: () => ({ key: 'x', contentLength: 1, checksumSha256: sha256 }),
  createS3Credential: (environment) => ({ environment }),
  createDeployment: (environment) => ({ applicationId: '{applicationId}', environment }),
};

/** Not 404: a slug that names no environment of the application, and a variable's environment, which stays what it is. */
const invalid: Record<string, (environment: string) => object> = {
  updateApplication: () => ({ defaultEnvironmentSlug: 'foreign' }),
  updateApplicationEnvVar: (environmentId) => ({ environmentId }),
};

function operationsWithEnvironment(): Operation[] {
  const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
  const found: Operation[] = [];
  for (const [path, methods] of Object.entries<Record<string, Described>>(document.paths))
    for (const [method, { operationId, parameters = [], requestBody }] of Object.entries(methods)) {
      const names = parameters.map(({ name }) => name);
      const inBody = /"\w*environment\w*":/i.test(JSON.stringify(requestBody ?? {}));
      const takesOne = path.includes('{environmentId}') || names.includes('environment') || inBody;
      if (!takesOne && operationId !== 'copyApplicationEnvVars') continue;
      const demanded = parameters.filter((one) => one.in === 'query' && one.required);
      const query = {
        ...Object.fromEntries(demanded.map(({ name }) => [name, 'x'])),
        ...(names.includes('environment') && { environment: '{environmentId}' }),
      };
      found.push({ operationId, method: method.toUpperCase(), path, query });
    }
  return found;
}

interface Described {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: object;
}

for (const engine of engines) {
  describe(`an environment of another application on ${engine}`, () => {
    let instance: Instance;
    let ids: Record<string, string>;
    const foreign = new Map<string, string>();
    let own: string;

    before(async () => {
      instance = await startInstance(engine);
      const must = async (method: string, path: string, body?: object) => {
        const answer = await instance.call(method, path, { as: 'user', ...(body && { body }) });
        assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
        return answer.body;
      };
      const foreignOf = async (organizationId: string): Promise<string> => {
        const { id } = await must('POST', '/applications', { organizationId, name: 'Other' });
        await must('POST', `/applications/${id}/environments`, { name: 'Foreign' });
        const { items } = await must('GET', `/applications/${id}/environments`);
        const { id: environment } = items.find(({ slug }: { slug: string }) => slug === 'foreign');
        await must('POST', `/applications/${id}/storage/buckets`, { name: 'files', environment });
        return environment;
      };
      foreign.set('of the same organization', await foreignOf(instance.bootstrapped.organization.id));
      const { id: elsewhere } = await must('POST', '/organizations', { name: 'Elsewhere' });
      foreign.set('of another organization', await foreignOf(elsewhere));

      const applicationId = instance.bootstrapped.application.id;
      const { items } = await must('GET', `/applications/${applicationId}/environments`);
      own = items.find(({ slug }: { slug: string }) => slug === 'production').id;
      const storage = storageOf(instance);
      await must('POST', `/applications/${applicationId}/storage/buckets`, {
        ...{ name: 'files', environment: own },
      });
      const { id: objectId } = await storage.stored('/buckets/files', 'x', 'x');
      const { id: envVarId } = await must('POST', `/applications/${applicationId}/env-vars`, {
        ...{ key: 'OWN', value: 'x', environmentId: own },
      });
      const { id: uploadId } = await storage.begin('/buckets/files', 'y', Buffer.from('x'));
      const { id: deploymentId } = await must('POST', '/deployments', { applicationId });
      ids = {
        applicationId,
        bucket: 'files',
        objectId,
        envVarId,
        uploadId,
        versionId: objectId,
        deploymentId,
      };
    });
    after(() => instance?.[Symbol.asyncDispose]());

    const filled = (text: string, environmentId: string) => {
      const values: Record<string, string> = { ...ids, environmentId };
      return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => {
        const value = values[name];
        assert.ok(value, `No value for ${all}`);
        return value;
      });
    };

    const ask = ({ operationId, method, path, query }: Operation, environment: string) => {
      const body = (bodies[operationId] ?? invalid[operationId])?.(environment);
      const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
      return instance.call(method, filled(`${path}?${search.join('&')}`, environment), {
        as: 'user',
        ...(operationId === 'putStorageObject' && { body: 'x', headers: { 'content-type': 'text/plain' } }),
        ...(body && { body: JSON.parse(filled(JSON.stringify(body), environment)) }),
      });
    };

    for (const operation of operationsWithEnvironment()) {
      const status = operation.operationId in invalid ? 400 : 404;
      test(`${operation.operationId} answers ${status}`, async () => {
        for (const [which, environment] of foreign) {
          const answer = await ask(operation, environment);
          assert.equal(answer.status, status, `${which}: ${JSON.stringify(answer.body)}`);
        }
        if (operation.method === 'GET') {
          const answer = await ask(operation, own);
          assert.equal(answer.status, 200, `its own: ${JSON.stringify(answer.body)}`);
        }
      });
    }
  });
}
