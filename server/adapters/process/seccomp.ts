/**
 * The system calls that code of users does not get, as a program of classic BPF that bubblewrap loads (seccomp(2)). What
 * is refused: mounts, namespaces, tracing, keyrings, kernel modules, io_uring, typing into terminals, and kinds of sockets
 * that no web program opens. It refuses by name and lets the rest pass: Node, Bun, PHP and what builds run need most of it.
 */

interface Architecture {
  /** AUDIT_ARCH_*, linux/audit.h. */
  audit: number;
  /** By name; a call that the architecture does not have is left out. */
  calls: Readonly<Record<string, number>>;
}

/** Calls from Linux 5.1 on have one number on every architecture. */
const newer = {
  ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, open_tree: 428, move_mount: 429 },
  ...{ fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433, clone3: 435, pidfd_getfd: 438 },
  ...{ mount_setattr: 442, quotactl_fd: 443 },
};

/** arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h. */
const architectures: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    calls: {
      ...{ ioctl: 16, socket: 41, clone: 56, ptrace: 101, uselib: 134, personality: 135, ustat: 136 },
      sysfs: 139,
      modify_ldt: 154,
      pivot_root: 155,
      _sysctl: 156,
      adjtimex: 159,
      chroot: 161,
      acct: 163,
      ...{ settimeofday: 164, mount: 165, umount2: 166, swapon: 167, swapoff: 168, reboot: 169 },
      sethostname: 170,
      setdomainname: 171,
      iopl: 172,
      ioperm: 173,
      init_module: 175,
      delete_module: 176,
      ...{ quotactl: 179, nfsservctl: 180, lookup_dcookie: 212, clock_settime: 227, mbind: 237 },
      ...{ set_mempolicy: 238, kexec_load: 246, add_key: 248, request_key: 249, keyctl: 250 },
      ...{ migrate_pages: 256, unshare: 272, move_pages: 279, vmsplice: 278, perf_event_open: 298 },
      fanotify_init: 300,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      clock_adjtime: 305,
      setns: 308,
      ...{ process_vm_readv: 310, process_vm_writev: 311, kcmp: 312, finit_module: 313 },
      ...{ kexec_file_load: 320, bpf: 321, userfaultfd: 323 },
      ...newer,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      ...{ ioctl: 29, mount: 40, umount2: 39, pivot_root: 41, nfsservctl: 42, chroot: 51, quotactl: 60 },
      ...{ vmsplice: 75, acct: 89, personality: 92, unshare: 97, kexec_load: 104, init_module: 105 },
      ...{ delete_module: 106, clock_settime: 112, ptrace: 117, reboot: 142, sethostname: 161 },
      ...{ setdomainname: 162, settimeofday: 170, adjtimex: 171, lookup_dcookie: 18, add_key: 217 },
      ...{ request_key: 218, keyctl: 219, socket: 198, clone: 220, swapon: 224, swapoff: 225, mbind: 235 },
      ...{ set_mempolicy: 237, migrate_pages: 238, move_pages: 239, perf_event_open: 241 },
      fanotify_init: 262,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      clock_adjtime: 266,
      setns: 268,
      ...{ process_vm_readv: 270, process_vm_writev: 271, kcmp: 272, finit_module: 273, bpf: 280 },
      ...{ userfaultfd: 282, kexec_file_load: 294 },
      ...newer,
    },
  },
};

/** They are looked at with their arguments; every other one in the table is refused outright. */
const judged = new Set(['ioctl', 'socket', 'clone']);
/** Programs ask whether these are there, and continue without. */
const absent = new Set(['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register']);

const EPERM = 1;
const ENOSYS = 38;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (code: number) => 0x00050000 | code;

/** CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. The first is a signal number of clone(2). */
const namespaceFlags = 0x7e020000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK, which names network interfaces for `os.networkInterfaces()`. */
const families = [1, 2, 10, 16];

/** One instruction: an operation, the comparison's two jumps, and a number (linux/filter.h). */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, k: number];
const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;
/** Offsets in struct seccomp_data; the lower half of an argument, since both architectures are little-endian. */
const callNumber = 0;
const architecture = 4;
const argument = (index: number) => 16 + 8 * index;

const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
const give = (result: number): Instruction => [RETURN, 0, 0, result];

/** Null where no table is known for the architecture. */
export function seccompFilter(arch: string = process.arch): Buffer | null {
  const found = architectures[arch];
  if (!found) return null;
  const { audit, calls } = found;
  const number = (name: string) => calls[name] as number;
  const program: Instruction[] = [
    load(architecture),
    [EQUAL, 1, 0, audit],
    give(KILL),
    load(callNumber),
    // The x32 calls of x86-64 have the same meanings under other numbers.
    [AT_LEAST, 0, 1, 0x40000000],
    give(errno(ENOSYS)),
  ];
  for (const [name, call] of Object.entries(calls))
    if (!judged.has(name)) program.push([EQUAL, 0, 1, call], give(errno(absent.has(name) ? ENOSYS : EPERM)));
  program.push(
    ...([[EQUAL, 0, 4, number('clone')], load(argument(0))] as const),
    ...([[ANY_BIT, 0, 1, namespaceFlags], give(errno(EPERM)), give(ALLOW)] as const),
    ...([[EQUAL, 0, 5, number('ioctl')], load(argument(1))] as const),
    ...([[EQUAL, 1, 0, TIOCSTI], [EQUAL, 0, 1, TIOCLINUX], give(errno(EPERM)), give(ALLOW)] as const),
    ...([[EQUAL, 0, families.length + 2, number('socket')], load(argument(0))] as const),
    ...families.map((family, at): Instruction => [EQUAL, families.length - at, 0, family]),
    ...[give(errno(EPERM)), give(ALLOW)],
  );
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, k]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(k, at * 8 + 4);
  }
  return bytes;
}
