import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { Instance } from '#testing/instance.ts';
import { type ZipPart, zip } from '#testing/zip.ts';
import { sandboxProblem } from '../adapters/process/open.ts';

/** Why functions cannot be sandboxed on this machine; null where they can. */
export const sandboxMissing = await sandboxProblem();
if (sandboxMissing && process.env['CI']) throw new Error(sandboxMissing);

/** Where bubblewrap is missing, what needs no sandbox is tested all the same. */
export const runnerSettings = { MAINSTAY_RUNNER: sandboxMissing ? 'trusted' : 'process' };

export interface Seen {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

interface Visit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** An instance in this process, or, without `platform`, anywhere. */
type Deployable = Pick<Instance, 'url' | 'call' | 'listeners'> & {
  bootstrapped: Pick<Instance['bootstrapped'], 'application'>;
  platform?: Instance['platform'];
};

const askAgainMilliseconds = 100;

/** Deploys archives to the bootstrapped application of an instance, and asks its gateway. */
export function deployer(instance: Deployable) {
  const applicationId = instance.bootstrapped.application.id;

  async function call(method: string, path: string, body?: unknown) {
    const answer = await instance.call(method, path, { as: 'user', ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Asks the gateway as a browser would: the hostname leads to this machine. */
  function visit(host: string, path: string, { method = 'GET', headers, body }: Visit = {}): Promise<Seen> {
    const { port } = new URL(instance.listeners.get('applications') ?? '');
    const target = { host: '127.0.0.1', port, path, method, agent: false, headers: { ...headers, host } };
    return new Promise((resolve, reject) => {
      const asked = request(target, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
        response.on('error', reject);
      });
      asked.on('error', reject).end(body);
    });
  }

  async function upload(id: string, archive: Buffer, partBytes = 64 * 1024): Promise<void> {
    const { uploadId } = await call('POST', `/deployments/${id}/upload/start`);
    const pieces = Array.from({ length: Math.max(1, Math.ceil(archive.length / partBytes)) }, (_, at) =>
      archive.subarray(at * partBytes, (at + 1) * partBytes),
    );
    const parts = await Promise.all(
      pieces.map(async (piece, at) => {
        const wanted = { uploadId, partNumber: at + 1 };
        const { url } = await call('POST', `/deployments/${id}/upload/part`, wanted);
        const { pathname, search } = new URL(url);
        const response = await fetch(`${instance.url}${pathname}${search}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/zip' },
          body: new Uint8Array(piece),
        });
        assert.equal(response.status, 200, await response.text());
        return { partNumber: at + 1, etag: response.headers.get('etag') ?? '' };
      }),
    );
    await call('POST', `/deployments/${id}/upload/complete`, { uploadId, parts });
  }

  /** Waits as a client does: asks until the deployment has ended. The pipeline is woken by its own notification, not by us. */
  async function ended(id: string) {
    for (;;) {
      // Listened for before asking: what turns in between is not missed.
      const turned = new Promise<void>((resolve) => {
        if (instance.platform) instance.platform.db.notifications.on('deployment', () => resolve());
        else setTimeout(resolve, askAgainMilliseconds);
      });
      const deployment = await call('GET', `/deployments/${id}`);
      if (deployment.status === 'ACTIVE' || deployment.status === 'FAILED') return deployment;
      await turned;
    }
  }

  async function logOf(id: string): Promise<string> {
    const { items } = await call('GET', `/deployments/${id}/logs?limit=1000`);
    return items.map(({ message }: { message: string }) => message).join('\n');
  }

  async function deploy(parts: ZipPart[], options: Record<string, unknown> = {}) {
    const { id } = await call('POST', '/deployments', { applicationId, ...options });
    await upload(id, zip(parts));
    const deployment = await ended(id);
    return { ...deployment, log: await logOf(id) };
  }

  /** Deploys, and demands that it works. */
  async function deployed(parts: ZipPart[], options: Record<string, unknown> = {}) {
    const deployment = await deploy(parts, options);
    assert.equal(deployment.status, 'ACTIVE', deployment.log);
    return { ...deployment, host: await hostOf(deployment.id) };
  }

  async function hostOf(id: string): Promise<string> {
    const { items } = await call('GET', `/deployments/${id}/hostnames`);
    return items[0].hostname;
  }

  /** The hostname that leads to this deployment permanently. */
  async function ownHostOf(id: string): Promise<string> {
    const { items } = await call('GET', `/deployments/${id}/hostnames`);
    return items.find(({ type }: { type: string }) => type === 'DEPLOYMENT').hostname;
  }

  /** An archive of these files, without waiting for what becomes of it. */
  const send = (id: string, parts: ZipPart[]) => upload(id, zip(parts));

  return { applicationId, call, visit, upload, send, ended, logOf, deploy, deployed, hostOf, ownHostOf };
}
