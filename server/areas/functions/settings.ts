import { duration, integer, size } from '#core/settings.ts';

export const functionSettings = {
  functionFreeze: duration({
    name: 'MAINSTAY_FUNCTION_FREEZE',
    meaning:
      'How long after its last request a process of a function is frozen: it keeps its memory and gets no time until the next ' +
      'request wakes it. One that still uses the processor is left alone.',
    fallback: '60s',
    minSeconds: 1,
  }),
  functionIdle: duration({
    name: 'MAINSTAY_FUNCTION_IDLE',
    meaning: 'How long a process of a function stays after its last request.',
    fallback: '30m',
    minSeconds: 1,
  }),
  functionConcurrency: integer({
    name: 'MAINSTAY_FUNCTION_CONCURRENCY',
    meaning: 'Requests that one process of a function answers at a time.',
    fallback: 100,
    min: 1,
    max: 10_000,
  }),
  functionInstances: integer({
    name: 'MAINSTAY_FUNCTION_INSTANCES',
    meaning: 'Most processes of one function on this node.',
    fallback: 4,
    min: 1,
    max: 1000,
  }),
  organizationInstances: integer({
    name: 'MAINSTAY_ORGANIZATION_INSTANCES',
    meaning:
      'Most processes of all functions of one organization on this node. When exceeded, its process that has been idle longest is ' +
      'ended; while all are busy, requests to functions without a process are answered by 503.',
    fallback: 100,
    min: 1,
    max: 100_000,
  }),
  organizationMemory: size({
    name: 'MAINSTAY_ORGANIZATION_MEMORY',
    meaning:
      'Memory that the function processes of one organization may be configured with together on this node. Beyond it applies what ' +
      'applies to MAINSTAY_ORGANIZATION_INSTANCES. 0B: no limit.',
    fallback: '0B',
    minBytes: 0,
  }),
  functionQueue: integer({
    name: 'MAINSTAY_FUNCTION_QUEUE',
    meaning: 'Requests that wait for a process of a function; further ones are answered by 503.',
    fallback: 1000,
    min: 0,
    max: 100_000,
  }),
  functionQueueWait: duration({
    name: 'MAINSTAY_FUNCTION_QUEUE_WAIT',
    meaning: 'How long a request waits for a process of a function before it is answered by 503.',
    fallback: '30s',
    minSeconds: 1,
  }),
  functionDrain: duration({
    name: 'MAINSTAY_FUNCTION_DRAIN',
    meaning: 'How long a process of a function may take to end after it was asked to.',
    fallback: '30s',
    minSeconds: 1,
  }),
  functionAnswer: duration({
    name: 'MAINSTAY_FUNCTION_ANSWER',
    meaning:
      'How long a new version of a function may take for its first answer before its deployment fails.',
    fallback: '30s',
    minSeconds: 1,
  }),
  functionBlanks: integer({
    name: 'MAINSTAY_FUNCTION_BLANKS',
    meaning:
      'Sandboxed processes of Node that wait for a function, so that the first request to one is answered sooner. The first ' +
      'function starts them; each takes about 45 MB.',
    fallback: 1,
    min: 0,
    max: 100,
  }),
  functionCpu: integer({
    name: 'MAINSTAY_FUNCTION_CPU',
    meaning: 'Hundredths of a core that one process of a function may use. 0: whatever is free.',
    fallback: 100,
    min: 0,
    max: 100_000,
  }),
  functionMemory: size({
    name: 'MAINSTAY_FUNCTION_MEMORY',
    meaning:
      'Memory of all function processes together. When exceeded, the processes frozen longest are ended. 0B: half of the host’s memory.',
    fallback: '0B',
    minBytes: 0,
  }),
};
