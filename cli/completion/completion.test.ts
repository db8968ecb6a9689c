import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { main } from '../testing/command-line.ts';
import { root } from '../tree.ts';
import { candidates } from './candidates.ts';
import { scripts } from './scripts.ts';

test('what can stand next follows what was typed', () => {
  const words = (...typed: string[]) => candidates(root, typed, ['work', 'home']).map(({ word }) => word);
  assert.deepEqual(words('deplo'), ['deploy', 'deployments']);
  assert.deepEqual(words('deployments', 'pro'), ['promote']);
  assert.deepEqual(words('deployments', '--status', 'AC'), ['ACTIVE']);
  assert.deepEqual(words('deployments', '--status=FA'), ['--status=FAILED']);
  assert.deepEqual(words('--profile', 'w'), ['work']);
  assert.deepEqual(words('--profile', 'work', 'whoa'), ['whoami']);
  assert.deepEqual(words('completion', ''), ['bash', 'zsh', 'fish', 'powershell']);
  assert.deepEqual(words('env', 'run', '--', 'no'), []);
  assert.ok(!words('').some((word) => word.startsWith('__')));
});

describe('completion in real shells', () => {
  let folder: string;
  let env: Record<string, string>;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-completion-'));
    const program = path.join(folder, 'mainstay');
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    await chmod(program, 0o755);
    for (const [shell, script] of Object.entries(scripts))
      await writeFile(path.join(folder, `_${shell}`), script);
    env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, TERM: 'dumb', LANG: 'C.UTF-8' };
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const shells: Record<string, string> = {
    bash: 'source "$HOME/_bash"; COMP_WORDS=(mainstay deployments pro); COMP_CWORD=2; _mainstay; echo "${COMPREPLY[@]}"',
    // Completion itself needs a line editor: here it is told what that would tell it.
    zsh: 'compdef() { :; }; _describe() { print -r -- ${(P)3} }; source "$HOME/_zsh"; words=(mainstay deployments pro); CURRENT=3; _mainstay',
    fish: 'source "$HOME/_fish"; complete -C "mainstay deployments pro"',
  };
  for (const [shell, script] of Object.entries(shells)) {
    const isHere = spawnSync(shell, ['-c', 'true']).status === 0;
    test(shell, { skip: !isHere && !process.env['CI'] ? `${shell} is not here` : false }, () => {
      const { stdout, stderr } = spawnSync(shell, ['-c', script], { env, encoding: 'utf8' });
      assert.match(stdout, /^promote/, stderr);
    });
  }
});
