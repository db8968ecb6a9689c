import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Connection, s3Lines } from '../dashboard/src/areas/storage/s3-lines.ts';
import { freePort } from '../scripts/postgres.ts';
import type { Client, NewS3Credential } from '../sdk/index.ts';
import { clientOf } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/**
 * S3 clients as Debian has them, unmodified, with the lines that the dashboard prints and nothing else. A client that this
 * machine does not have is skipped loudly; under CI its absence is a failure.
 */

const fileCount = Number(process.env['S3_CLIENT_FILES'] ?? 60);
const largeBytes = Number(process.env['S3_CLIENT_MIB'] ?? 24) * 1024 * 1024;
const isCi = Boolean(process.env['CI']);
/** Debian's own, where another one of the same name stands before it in the path. */
const searchPath = `/usr/bin:/usr/local/bin:${process.env['PATH'] ?? ''}`;
const deadlineMilliseconds = 180_000 + fileCount * 1000;

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** A script of bash in that folder, which is its home too: no configuration of this machine is read. */
function bash(folder: string, script: string, environment: Record<string, string> = {}): Promise<Outcome> {
  const env = { PATH: searchPath, HOME: folder, LANG: 'C.UTF-8', RESTIC_PASSWORD: 'lantern', ...environment };
  const options = { cwd: folder, env, timeout: deadlineMilliseconds, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile('bash', ['--norc', '-euo', 'pipefail', '-c', script], options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, stdout, stderr });
    });
  });
}

/** Names of what is not here. A function, since a test file of node:test has to be read to its end before it runs. */
async function absent(names: readonly string[]): Promise<string[]> {
  const probes: Record<string, string> = { boto3: '/usr/bin/python3 -c "import boto3"' };
  const found = await Promise.all(
    names.map(async (name) => (await bash(tmpdir(), probes[name] ?? `command -v ${name}`)).code === 0),
  );
  return names.filter((_, at) => !found[at]);
}

const packages: Record<string, string> = {
  aws: 'awscli',
  rclone: 'rclone',
  s3cmd: 's3cmd',
  restic: 'restic',
  boto3: 'python3-boto3',
};
const missing = await absent(Object.keys(packages));
if (missing.length > 0) {
  const how = `apt-get install ${missing.map((name) => packages[name]).join(' ')}`;
  process.stderr.write(
    `\n*** ${missing.join(', ')}: not on this machine, their tests are SKIPPED. ${how}\n\n`,
  );
  if (isCi) throw new Error(`${missing.join(', ')} missing, and CI leaves nothing out.`);
}
/** No package of Debian: it is tried where somebody has it. */
const hasTerraform = (await absent(['terraform'])).length === 0;
const needs = (...names: string[]) => {
  const lacking = names.filter((name) => missing.includes(name));
  return { skip: lacking.length > 0 ? `this machine lacks ${lacking.join(', ')}` : false };
};

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Path and digest of every file below a folder. */
async function contentsOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    found.set(path.relative(folder, file), digest(await readFile(file)));
  }
  return new Map([...found].sort());
}

async function makeFiles(folder: string): Promise<void> {
  for (let at = 0; at < fileCount; at++) {
    const directory = path.join(folder, `folder ${at % 7}`, at % 3 === 0 ? 'ünter' : 'b+c');
    await mkdir(directory, { recursive: true });
    await writeFile(path.join(directory, `file-${at}.txt`), randomBytes(1 + ((at * 997) % 20_000)));
  }
  await writeFile(path.join(folder, 'empty'), '');
  await writeFile(path.join(folder, 'large.bin'), randomBytes(largeBytes));
}

// Clients see no difference between databases: one of them is enough.
for (const name of targetNames.slice(0, 1)) {
  describe(`S3 clients on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let api: Client;
    let credential: NewS3Credential;
    let home: string;
    let files: string;
    let expected: Map<string, string>;

    before(async () => {
      const s3Port = await freePort();
      // The root endpoint is published, so that the lines are whole.
      target = await openTarget(name, {
        MAINSTAY_S3_PORT: String(s3Port),
        MAINSTAY_S3_DOMAIN: `127.0.0.1:${s3Port}`,
      });
      api = clientOf(target, 'application');
      credential = await api.s3Credentials.create(target.applicationId, { name: 'Clients' });
      home = await mkdtemp(path.join(tmpdir(), 'mainstay-clients-'));
      files = path.join(home, 'files');
      await makeFiles(files);
      await writeFile(path.join(home, 'file.txt'), 'one file');
      expected = await contentsOf(files);
    });
    after(async () => {
      await target?.[Symbol.asyncDispose]();
      if (home) await rm(home, { recursive: true, force: true });
    });

    const newBucket = async () => {
      const bucket = `clients-${randomUUID().slice(0, 8)}`;
      await api.storage.createBucket(target.applicationId, { name: bucket });
      return bucket;
    };
    /** What the dashboard prints for that client. */
    const lineOf = (language: string, bucket: string): string => {
      const { accessKeyId, secretAccessKey, endpoint, rootEndpoint, region } = credential;
      const to: Connection = { accessKeyId, secretAccessKey, endpoint, rootEndpoint, region, bucket };
      const found = s3Lines(to).find((one) => one.language === language);
      assert.ok(found, language);
      return found.code;
    };
    const run = async (script: string) => {
      const { code, stdout, stderr } = await bash(home, script);
      assert.equal(code, 0, `${script}\n${stdout}${stderr}`);
      return stdout;
    };
    const keysOf = async (bucket: string) => {
      const keys: string[] = [];
      const query = { delimiter: '', limit: 1000 };
      for await (const { key } of api.storage.listObjects(target.applicationId, bucket, query))
        keys.push(key);
      return keys;
    };
    const sameFiles = async (folder: string) =>
      assert.deepEqual(await contentsOf(path.join(home, folder)), expected);

    test(
      'AWS CLI makes a bucket, syncs both ways, presigns, keeps versions and deletes',
      needs('aws'),
      async () => {
        const bucket = `clients-${randomUUID().slice(0, 8)}`;
        const line = lineOf('AWS CLI', bucket);
        const setUp = line.slice(0, line.lastIndexOf('\n'));
        const aws = `aws --endpoint-url ${credential.endpoint}`;
        await run(`${setUp}\n${aws} s3 mb s3://${bucket}`);
        await run(line);
        assert.equal((await keysOf(bucket)).length, expected.size);
        await run(`${setUp}\n${aws} s3 sync s3://${bucket} ./back-aws`);
        await sameFiles('back-aws');
        const url = (await run(`${setUp}\n${aws} s3 presign s3://${bucket}/large.bin`)).trim();
        const response = await fetch(url);
        assert.equal(response.status, 200);
        assert.equal(digest(Buffer.from(await response.arrayBuffer())), expected.get('large.bin'));
        const versioning = 'put-bucket-versioning --versioning-configuration Status=Enabled';
        await run(`${setUp}\n${aws} s3api ${versioning} --bucket ${bucket}`);
        await run(
          `${setUp}\n${aws} s3 cp ./file.txt s3://${bucket}/empty\n${aws} s3 rm s3://${bucket}/empty`,
        );
        const listed = await run(
          `${setUp}\n${aws} s3api list-object-versions --output json --bucket ${bucket} --prefix empty`,
        );
        const { Versions, DeleteMarkers } = JSON.parse(listed);
        assert.deepEqual([Versions.length, DeleteMarkers.length], [2, 1]);
        await run(`${setUp}\n${aws} s3 rm --recursive s3://${bucket}`);
        assert.deepEqual(await keysOf(bucket), []);
      },
    );

    test('rclone syncs both ways, checks and purges', needs('rclone'), async () => {
      const bucket = await newBucket();
      await run(lineOf('rclone', bucket));
      assert.equal((await keysOf(bucket)).length, expected.size);
      await run(`rclone check --download ./files mainstay:${bucket}`);
      await run(`rclone sync mainstay:${bucket} ./back-rclone`);
      await sameFiles('back-rclone');
      await run(`rclone delete mainstay:${bucket}`);
      assert.deepEqual(await keysOf(bucket), []);
    });

    test('s3cmd syncs both ways, signs addresses and deletes', needs('s3cmd'), async () => {
      const bucket = await newBucket();
      const line = lineOf('s3cmd', bucket);
      await run(line);
      assert.equal((await keysOf(bucket)).length, expected.size);
      const command = line.slice(0, line.lastIndexOf(' sync '));
      await run(`mkdir -p back-s3cmd\n${command} sync s3://${bucket}/ ./back-s3cmd/`);
      await sameFiles('back-s3cmd');
      await run(`${command} del --recursive --force s3://${bucket}/`);
      assert.deepEqual(await keysOf(bucket), []);
    });

    test('restic backs up, checks every byte and restores', needs('restic'), async () => {
      const bucket = await newBucket();
      const line = lineOf('restic', bucket);
      await run(line);
      const setUp = line.slice(0, line.indexOf('\nrestic '));
      const restic = `restic -r s3:${credential.rootEndpoint}/${bucket}`;
      assert.match(await run(`${setUp}\n${restic} check --read-data`), /no errors were found/);
      await run(`${setUp}\n${restic} restore latest --target ./back-restic`);
      await sameFiles('back-restic/files');
      await run(`${setUp}\n${restic} forget --keep-last 1 --prune`);
    });

    test('boto3 uploads, presigns and deletes', needs('boto3'), async () => {
      const bucket = await newBucket();
      const script = [
        lineOf('boto3', bucket),
        'import urllib.request',
        `s3.upload_file("files/large.bin", "${bucket}", "large.bin")`,
        `s3.download_file("${bucket}", "large.bin", "back-boto3.bin")`,
        `url = s3.generate_presigned_url("get_object", Params={"Bucket": "${bucket}", "Key": "file.txt"})`,
        'print(urllib.request.urlopen(url).read().decode())',
        `s3.delete_objects(Bucket="${bucket}", Delete={"Objects": [{"Key": "file.txt"}]})`,
      ].join('\n');
      await writeFile(path.join(home, 'client.py'), script);
      assert.equal((await run('/usr/bin/python3 client.py')).trim(), 'one file');
      assert.equal(digest(await readFile(path.join(home, 'back-boto3.bin'))), expected.get('large.bin'));
      assert.deepEqual(await keysOf(bucket), ['large.bin']);
    });

    test('@aws-sdk/client-s3 stores, reads, versions and deletes', async () => {
      const bucket = await newBucket();
      const script = [
        lineOf('JavaScript', bucket),
        "import * as aws from '@aws-sdk/client-s3';",
        `const at = { Bucket: '${bucket}', Key: 'hello.txt' };`,
        'const { Body } = await s3.send(new aws.GetObjectCommand(at));',
        'const VersioningConfiguration = { Status: "Enabled" };',
        `await s3.send(new aws.PutBucketVersioningCommand({ Bucket: '${bucket}', VersioningConfiguration }));`,
        'await s3.send(new aws.DeleteObjectCommand(at));',
        `const { DeleteMarkers } = await s3.send(new aws.ListObjectVersionsCommand({ Bucket: '${bucket}' }));`,
        'console.log(await Body.transformToString(), DeleteMarkers.length);',
      ].join('\n');
      const here = createRequire(new URL('../server/package.json', import.meta.url));
      const installed = here.resolve('@aws-sdk/client-s3').replace(/\/node_modules\/.*$/, '/node_modules');
      await run(`ln -sfn '${installed}' node_modules`);
      await writeFile(path.join(home, 'client.mjs'), script);
      assert.equal((await run(`'${process.execPath}' client.mjs`)).trim(), 'Hello 1');
    });

    const terraform = { skip: hasTerraform ? false : 'this machine lacks terraform' };
    test('Terraform keeps its state and its lock', terraform, async () => {
      const bucket = await newBucket();
      await mkdir(path.join(home, 'terraform'));
      const code = `${lineOf('Terraform', bucket)}\noutput "greeting" {\n  value = "hello"\n}\n`;
      await writeFile(path.join(home, 'terraform/main.tf'), code);
      const quietly = 'export CHECKPOINT_DISABLE=1 TF_IN_AUTOMATION=1\ncd terraform\n';
      await run(`${quietly}terraform init -input=false -no-color`);
      await run(`${quietly}terraform apply -auto-approve -input=false -no-color`);
      assert.equal((await run(`${quietly}terraform output -raw greeting`)).trim(), 'hello');
      assert.deepEqual(await keysOf(bucket), ['terraform.tfstate']);
    });
  });
}
