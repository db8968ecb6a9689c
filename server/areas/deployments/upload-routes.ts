import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { type Blobs, newBlobName } from '#core/blobs.ts';
import type { Clock } from '#core/clock.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import type { Vault } from '#core/vault.ts';
import { streamedBody } from '#http/streamed-body.ts';
import { holdBlobs, type PartRow, parts, putPart } from './blob-store.ts';
import { type ReachDeps, reach } from './reach.ts';
import { toDeployment } from './render.ts';
import {
  CompleteUpload,
  Deployment,
  DeploymentPath,
  PartAddress,
  PartWanted,
  PutPartPath,
  PutPartQuery,
  StartedUpload,
} from './schema.ts';
import { again, audit, enqueue } from './service.ts';
import { type DeploymentRow, find, update } from './store.ts';

const tags = ['Deployments'];
const writes = {
  scope: 'network:deployments:write',
  actors: ['user', 'organization', 'application'],
} as const;
/** From the request for an address to the first byte of its PUT. */
const addressSeconds = 3600;

export interface UploadDeps extends ReachDeps {
  clock: Clock;
  vault: Vault;
  blobs: Blobs;
  baseUrl: string;
  archiveBytes: number;
  archivePartBytes: number;
}

/** What the signature of a part's address covers: never the host, which a proxy may change. */
function signedText(deploymentId: string, uploadId: string, partNumber: number, expires: number): string {
  return `PUT deployment-part ${deploymentId} ${uploadId} ${partNumber} ${expires}`;
}

/** The archive of a deployment, in parts that may come in any order and several at once. */
export function uploadRoutes(deps: UploadDeps): FastifyPluginAsyncTypebox {
  const { db, clock, vault, blobs, baseUrl } = deps;

  return async (app) => {
    app.post(
      '/deployments/:deploymentId/upload/start',
      {
        config: writes,
        schema: {
          operationId: 'startDeploymentUpload',
          summary: 'Start the upload of an archive',
          tags,
          params: DeploymentPath,
          response: { 200: StartedUpload },
        },
      },
      async (request) => {
        const { row } = await reach(deps, request.auth, request.params.deploymentId, 'ADMIN');
        return db.write(async (tx) => {
          const current = await again(tx, row.id);
          demandPending(current);
          // Started again, as by a client that lost the answer: the upload is the same.
          const uploadId = current.upload_id ?? newId(clock.now());
          await update(tx, row.id, { upload_id: uploadId, updated_at: clock.now() });
          return { uploadId };
        });
      },
    );

    app.post(
      '/deployments/:deploymentId/upload/part',
      {
        config: writes,
        schema: {
          operationId: 'createDeploymentUploadPart',
          summary: 'Get the upload URL of a part',
          tags,
          params: DeploymentPath,
          body: PartWanted,
          response: { 200: PartAddress },
        },
      },
      async ({ auth, params, body }) => {
        const { row } = await reach(deps, auth, params.deploymentId, 'ADMIN');
        demandPending(row);
        demandUpload(row, body.uploadId);
        const expires = Math.floor(clock.now() / 1000) + addressSeconds;
        const text = signedText(row.id, body.uploadId, body.partNumber, expires);
        const { digest, version } = vault.hash(text);
        const query = new URLSearchParams({
          expires: String(expires),
          key: String(version),
          signature: digest.toString('base64url'),
        });
        return {
          url: `${baseUrl}/deployments/${row.id}/upload/${body.uploadId}/${body.partNumber}?${query}`,
        };
      },
    );

    await app.register(async (raw) => {
      raw.removeAllContentTypeParsers();
      raw.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
      raw.put(
        '/deployments/:deploymentId/upload/:uploadId/:partNumber',
        {
          bodyLimit: deps.archivePartBytes,
          config: { public: true },
          schema: { params: PutPartPath, querystring: PutPartQuery },
        },
        async (request, reply) => {
          const { deploymentId, uploadId, partNumber } = request.params as Static<typeof PutPartPath>;
          const { expires, key, signature } = request.query as Static<typeof PutPartQuery>;
          const text = signedText(deploymentId, uploadId, partNumber, expires);
          const digest = Buffer.from(signature, 'base64url');
          const valid = vault.matches(text, { digest, version: key }) && expires * 1000 > clock.now();
          if (!valid)
            throw new Problem('forbidden', 'The URL is not valid or has expired. Request a new one.');
          const row = await find(db, deploymentId);
          if (!row || row.upload_id !== uploadId || row.status !== 'PENDING')
            throw new Problem('conflict', 'The upload has ended.');
          const part = await store(streamedBody(request), row, partNumber);
          return reply
            .header('etag', part.etag)
            .header('access-control-expose-headers', 'ETag')
            .code(200)
            .send();
        },
      );
    });

    const store = async (
      body: AsyncIterable<Uint8Array>,
      row: DeploymentRow,
      partNumber: number,
    ): Promise<PartRow> => {
      const md5 = createHash('md5');
      const limit = deps.archivePartBytes;
      let size = 0;
      async function* counted() {
        for await (const chunk of body) {
          size += chunk.length;
          if (size > limit) throw new Problem('too_large', `A part may have at most ${limit} bytes.`);
          md5.update(chunk);
          yield chunk;
        }
      }
      const blob = newBlobName(clock.now());
      await blobs.put(blob, counted());
      const part = {
        deployment_id: row.id,
        part_number: partNumber,
        blob,
        etag: `"${md5.digest('hex')}"`,
        size,
      };
      await db.write(async (tx) => {
        const current = await again(tx, row.id);
        if (current.status !== 'PENDING') throw new Problem('conflict', 'The upload has ended.');
        const others = (await parts(tx, row.id)).filter((other) => other.part_number !== partNumber);
        const total = others.reduce((sum, other) => sum + Number(other.size), size);
        if (total > deps.archiveBytes)
          throw new Problem('too_large', `An archive can have at most ${deps.archiveBytes} bytes.`);
        await putPart(tx, part);
      });
      return part;
    };

    app.post(
      '/deployments/:deploymentId/upload/complete',
      {
        config: writes,
        schema: {
          operationId: 'completeDeploymentUpload',
          summary: 'Complete the upload of an archive',
          description: 'Queues the deployment. Repeating the request with the same parts has no effect.',
          tags,
          params: DeploymentPath,
          body: CompleteUpload,
          response: { 200: Deployment },
        },
      },
      async (request) => {
        const { body, auth, params } = request;
        const { row, organizationId } = await reach(deps, auth, params.deploymentId, 'ADMIN');
        const after = await db.write(async (tx) => {
          const current = await again(tx, row.id);
          demandUpload(current, body.uploadId);
          const names = await partsInOrder(await parts(tx, row.id), body.parts);
          const source = JSON.stringify(names);
          if (current.status !== 'PENDING') {
            if (current.source === source) return current;
            throw new Problem('conflict', 'The upload was completed with other parts.');
          }
          const now = clock.now();
          await holdBlobs(tx, row.id, names);
          await update(tx, row.id, { source });
          await enqueue(tx, current, now);
          await audit(tx, requestSource(request), organizationId, row, 'uploaded', { parts: names.length });
          return again(tx, row.id);
        });
        return toDeployment(after, false);
      },
    );
  };
}

function demandPending(row: DeploymentRow): void {
  if (row.status !== 'PENDING')
    throw new Problem('conflict', `The deployment is ${row.status}: its archive is already uploaded.`);
}

function demandUpload(row: DeploymentRow, uploadId: string): void {
  if (row.upload_id !== uploadId)
    throw new Problem('not_found', 'The deployment has no upload with this id.');
}

/** The blobs of the parts, which have to be there and to be what the client sent. */
async function partsInOrder(
  stored: readonly PartRow[],
  wanted: readonly { partNumber: number; etag: string }[],
): Promise<string[]> {
  const byNumber = new Map(stored.map((part) => [part.part_number, part]));
  let last = 0;
  return wanted.map(({ partNumber, etag }) => {
    if (partNumber <= last)
      throw new Problem('invalid_request', 'The parts must be in the order of their numbers, each once.');
    last = partNumber;
    const part = byNumber.get(partNumber);
    if (!part) throw new Problem('invalid_request', `Part ${partNumber} was not uploaded.`);
    if (part.etag.replaceAll('"', '') !== etag.replaceAll('"', ''))
      throw new Problem('invalid_request', `Part ${partNumber} has a different ETag: ${part.etag}.`);
    return part.blob;
  });
}
