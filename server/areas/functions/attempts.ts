import type { Manifest } from '#areas/deployments/service.ts';
import { type Instance, RunFailed, type Unit } from '#core/runner.ts';
import { answersHttp } from './answers.ts';
import type { Instances, InstancesDeps } from './instances.ts';
import { type FunctionOf, type Owner, unitOf, type Workload } from './pool.ts';
import { inMegabytes, memoryOf } from './room.ts';

/** Processes of a version that was tried; they continue until this is disposed. */
export interface Tried extends AsyncDisposable {
  /** Throws `RunFailed` when one of them has ended by itself meanwhile. */
  check(): void;
  /** The version is live: they take requests from now on, as far as their organization has room. */
  adopt(): void;
}

/** Processes of a new version that wait together for it to go live. */
const maxTried = 8;
const maxLines = 20;
const stopSeconds = 5;

/**
 * Starts the function and asks it for its first page: a server that listens may still fail before it has answered anything.
 * `adopt` says whether it takes the process.
 */
export async function attempt(
  deps: InstancesDeps,
  of: FunctionOf,
  signal: AbortSignal,
  adopt: (instance: Instance, dropPackage: () => void) => boolean,
): Promise<Tried> {
  const { runner, packages, memoryOfOrganization, onLine } = deps;
  const { name, memoryMegabytes } = of.wanted;
  if (memoryOf(of) > memoryOfOrganization)
    throw new RunFailed(
      `${name} is configured with ${memoryMegabytes} MB of memory, and all functions of the organization may have ` +
        `${inMegabytes(memoryOfOrganization)} together on a node. Lower "memory", or ask the operator for more (MAINSTAY_ORGANIZATION_MEMORY).`,
    );
  await using opening = new AsyncDisposableStack();
  const dropPackage = packages.hold(of.wanted.package);
  opening.defer(dropPackage);
  const lines: Parameters<Unit['onLine']>[] = [];
  let isAdopted = false;
  const failed = (error: RunFailed) =>
    new RunFailed([`${name}: ${error.message}`, ...lines.map(([line]) => line)].join('\n'), { cause: error });
  try {
    const folder = await packages.unpacked(of.wanted.package);
    const unit = unitOf(of, deps, folder, (line, stream) => {
      if (isAdopted) return onLine(of, name, line, stream);
      lines.push([line, stream]);
      if (lines.length > maxLines) lines.shift();
    });
    const instance = await runner.start(unit, signal);
    opening.defer(() => runner.stop(instance, stopSeconds));
    let ending: RunFailed | undefined;
    void instance.gone.then((how) => {
      ending = failed(new RunFailed(`The server exited before it became live: ${how}.`));
    });
    await answersHttp(instance, deps.answerSeconds, signal);
    const stack = opening.move();
    return {
      check() {
        if (ending) throw ending;
      },
      adopt() {
        isAdopted = ending === undefined && adopt(instance, dropPackage);
        if (!isAdopted) return;
        stack.move();
        for (const [line, stream] of lines.splice(0)) onLine(of, name, line, stream);
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    throw error instanceof RunFailed ? failed(error) : error;
  }
}

/** Starts each function of a manifest once, one after the other. */
export async function tryFunctions(
  instances: Instances,
  owner: Owner,
  manifest: Manifest,
  workload: Workload,
  signal: AbortSignal,
): Promise<Tried> {
  await using opening = new AsyncDisposableStack();
  const all: Tried[] = [];
  for (const wanted of manifest.functions) {
    const tried = await instances.attempt({ ...owner, wanted, workload: () => workload }, signal);
    if (all.length < maxTried) all.push(opening.use(tried));
    else await tried[Symbol.asyncDispose]();
  }
  const stack = opening.move();
  return {
    check() {
      for (const tried of all) tried.check();
    },
    adopt() {
      for (const tried of all) tried.adopt();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
