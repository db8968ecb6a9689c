import process from 'node:process';
import { Context } from './core/context.ts';
import { exitCodes, Failure } from './core/failure.ts';
import { Interrupted } from './core/interrupted.ts';
import { Output } from './core/output.ts';
import { type Parsed, parse } from './core/parse.ts';
import { root } from './tree.ts';

/** How long a command may take to stop after Ctrl-C. */
const stopMilliseconds = 2_000;

/** One run of the command line: sets the exit code of the process. */
export async function runProgram(words: readonly string[], version: string): Promise<void> {
  const { env } = process;
  // Whoever reads may have enough: `mainstay logs | head`.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

  const stop = new AbortController();
  let out = new Output(process, env, {
    json: words.includes('--json'),
    quiet: false,
    'no-color': words.includes('--no-color'),
  });
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted);
    stop.abort(new Interrupted());
    setTimeout(() => process.exit(exitCodes.interrupted), stopMilliseconds).unref();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);

  let context: Context | undefined;
  try {
    const parsed = parse(root, words);
    out = new Output(process, env, parsed.globals);
    context = new Context({
      env,
      cwd: process.cwd(),
      out,
      globals: parsed.globals,
      root,
      signal: stop.signal,
    });
    process.exitCode = await run(parsed, context, version);
  } catch (error) {
    process.exitCode = await report(error, out, context?.url);
  }
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', interrupt);
  // A stream that was broken off may still hold the process.
  if (stop.signal.aborted) process.exit(exitCodes.interrupted);
}

async function run({ path, given, globals }: Parsed, context: Context, version: string): Promise<number> {
  const node = path.at(-1);
  if (globals.help || !node?.load) {
    const { help } = await import('./core/help.ts');
    if (globals.help || path.length > 1) {
      context.out.line(help(path, context.out.paint));
      return 0;
    }
    const { home } = await import('./commands/home.ts');
    return home(context, version);
  }
  const { run: command } = await node.load();
  const code = await command(context, given);
  return typeof code === 'number' ? code : 0;
}

async function report(error: unknown, out: Output, url: string | undefined): Promise<number> {
  if (error instanceof Interrupted) {
    process.stderr.write('\n');
    return exitCodes.interrupted;
  }
  let failure: Failure;
  if (error instanceof Failure) failure = error;
  else {
    const { explain } = await import('./core/explain.ts');
    failure = explain(error, url);
  }
  const { message, next, status, requestId, exitCode } = failure;
  if (out.isJson)
    process.stderr.write(`${JSON.stringify({ error: { message, next, status, requestId, exitCode } })}\n`);
  else {
    const { red, dim } = out.notePaint;
    process.stderr.write(`${red('✗')} ${message}\n`);
    if (next) process.stderr.write(`  ${next}\n`);
    if (requestId) process.stderr.write(`  ${dim(`Request id: ${requestId}`)}\n`);
  }
  return exitCode;
}
