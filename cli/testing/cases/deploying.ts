import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { type Bench, ok, site, visit } from '../command-line.ts';

/** Deploys, and networks that break meanwhile. */
export function deployingCases(of: () => Bench): void {
  let bench: Bench;
  before(() => {
    bench = of();
  });

  test('deploys a folder that is not linked, and then the same again', async () => {
    const folder = await site(bench, 'site', '<h1>one</h1>');
    await writeFile(path.join(folder, 'it\'s "quoted" 👋.txt'), 'x');
    await writeFile(path.join(folder, '.gitignore'), 'secret.txt\nkept/*\n!kept/this.txt\n');
    await writeFile(path.join(folder, 'secret.txt'), 'no');
    await mkdir(path.join(folder, 'kept'));
    await writeFile(path.join(folder, 'kept/this.txt'), 'kept');
    await writeFile(path.join(folder, 'kept/that.txt'), 'no');
    await symlink('this.txt', path.join(folder, 'kept/.gitkeep'));
    const unfit = path.join(folder, 'new\nline.txt');
    await writeFile(unfit, 'x');
    const refused = await bench.run(['deploy', '--dry-run'], { cwd: folder });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /"new\\nline.txt" has control characters in its name/);
    await rm(unfit);
    const plan = ok(await bench.run(['deploy', '--dry-run', '--json'], { cwd: folder }));
    assert.deepEqual(JSON.parse(plan.stdout).files, [
      '.gitignore',
      'index.html',
      'it\'s "quoted" 👋.txt',
      'kept/this.txt',
    ]);

    const first = ok(await bench.run(['deploy', '--prod', '--json'], { cwd: folder }));
    const events = first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(events.at(-1).type, 'deployed');
    assert.equal(await visit(bench, events.at(-1).url), '<h1>one</h1>');

    await writeFile(path.join(folder, 'index.html'), '<h1>two</h1>');
    const second = ok(await bench.run(['deploy', '--prod'], { cwd: folder }));
    assert.equal(await visit(bench, second.stdout.trim()), '<h1>two</h1>');
    const back = ok(await bench.run(['deployments', 'rollback', '--yes', '--json'], { cwd: folder }));
    assert.equal(JSON.parse(back.stdout).id, events.at(-1).deployment.id);
    assert.equal(await visit(bench, second.stdout.trim()), '<h1>one</h1>');
  });

  test('sends the part again that a cut connection took, and completes what it heard nothing of', async () => {
    const folder = await site(bench, 'cut', '<h1>cut</h1>');
    bench.api.loseRequest('PUT /deployments');
    const lost = ok(await bench.run(['deploy', '--prod'], { cwd: folder }));
    assert.equal(await visit(bench, lost.stdout.trim()), '<h1>cut</h1>');
    const heard = bench.api.loseAnswerTo('upload/complete');
    ok(await bench.run(['deploy', '--prod'], { cwd: folder }));
    await heard;
  });

  test('of two deploys beside each other each arrives, or reports that the newer one replaced it', async () => {
    const folder = await site(bench, 'twice', '<h1>twice</h1>');
    ok(await bench.run(['link', '--app', 'twice', '--create'], { cwd: folder }));
    const both = await Promise.all([1, 2].map(() => bench.run(['deploy', '--prod'], { cwd: folder })));
    const arrived = both.filter(({ code }) => code === 0);
    assert.ok(arrived.length > 0, both.map(({ stderr }) => stderr).join('\n'));
    for (const { stdout } of arrived) assert.equal(await visit(bench, stdout.trim()), '<h1>twice</h1>');
    // One that still waits in the queue when the other enters it is passed over.
    for (const { code, stderr } of both) if (code !== 0) assert.match(stderr, /Superseded by the deployment/);
  });

  test('a build that cannot be fails the command with the reason', async () => {
    const folder = path.join(bench.folder, 'empty');
    await mkdir(folder);
    await writeFile(path.join(folder, 'readme.txt'), 'nothing to serve');
    const failed = await bench.run(['deploy'], { cwd: folder });
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /The deployment failed: .*index\.html/s);
    await writeFile(path.join(folder, 'mainstay.yaml'), 'version: 4\nassets: 5\n');
    const told = await bench.run(['deploy'], { cwd: folder });
    assert.match(told.stderr, /mainstay\.yaml: assets must be text/);
  });

  test('the log of a build resumes where its connection was cut, each line once', async () => {
    const folder = path.join(bench.folder, 'talking');
    await mkdir(folder);
    await writeFile(path.join(folder, 'index.html'), 'x');
    const words = 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo said $i; sleep 0.3; done';
    await writeFile(
      path.join(folder, 'mainstay.json'),
      JSON.stringify({ version: 4, assets: '.', build_commands: [words] }),
    );
    const deploy = bench.start(['deploy', '--app', 'Web'], { cwd: folder });
    await deploy.printed('said 2');
    bench.api.refuse();
    await deploy.printed('Connection lost; reconnecting.');
    await bench.api.accept();
    const { stderr } = ok(await deploy.ended);
    const said = [...stderr.matchAll(/^ {2}said (\d+)$/gm)].map(([, number]) => Number(number));
    assert.deepEqual(said, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });
}

export function largeProjectCases(of: () => Bench): void {
  test('packs and sends 20 000 files', async () => {
    const bench = of();
    const folder = path.join(bench.folder, 'many');
    for (let at = 0; at < 200; at++) await mkdir(path.join(folder, String(at)), { recursive: true });
    await Promise.all(
      Array.from({ length: 20_000 }, (_, at) =>
        writeFile(path.join(folder, String(at % 200), `${at}.txt`), `${at}`),
      ),
    );
    const plan = ok(await bench.run(['deploy', '--dry-run', '--json'], { cwd: folder }));
    assert.equal(JSON.parse(plan.stdout).files.length, 20_000);
    ok(await bench.run(['link', '--app', 'many', '--create', '--org', 'acme'], { cwd: folder }));
    const sent = ok(await bench.run(['deploy', '--no-wait', '--json'], { cwd: folder }));
    const { type, deployment } = JSON.parse(sent.stdout.trim().split('\n').at(-1) ?? '');
    assert.equal(type, 'queued');
    // To publish them is the work of the instance, and takes it a while.
    ok(await bench.run(['deployments', 'cancel', deployment.id], { cwd: folder }));
  });
}
