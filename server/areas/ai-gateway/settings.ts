import { isAddressBlock } from '#core/addresses.ts';
import { duration, flag, integer, list, text, url } from '#core/settings.ts';

export const aiGatewaySettings = {
  aiProvidersFile: text({
    name: 'MAINSTAY_AI_PROVIDERS_FILE',
    meaning:
      'A JSON file with providers of models, as the API takes them; a credential may name an environment variable (`apiKeyEnv`) in place of its key.',
    expected: 'the path of a file',
  }),
  aiCatalogueFile: text({
    name: 'MAINSTAY_AI_CATALOGUE_FILE',
    meaning:
      'A JSON file with prices and facts of models by id: `{"models": {"openai/gpt-4o": {"prices": {"input": 2500000, "output": 10000000}}}}`. It goes before the bundled ones, and what the dashboard sets before both. `asOf` says of when its prices are; without it the date of the file counts.',
    expected: 'the path of a file',
  }),
  aiCatalogueUrl: url({
    name: 'MAINSTAY_AI_CATALOGUE_URL',
    meaning:
      'An address that answers the same as MAINSTAY_AI_CATALOGUE_FILE, read every hour and in place of that file. While it cannot be read, the last version applies.',
    protocols: ['https:', 'http:'],
  }),
  aiCataloguePrivateAddresses: list({
    name: 'MAINSTAY_AI_CATALOGUE_PRIVATE_ADDRESSES',
    meaning: 'Addresses (CIDR) that are not public and that MAINSTAY_AI_CATALOGUE_URL may have all the same.',
    accepts: isAddressBlock,
    expected: 'a list of addresses or CIDR blocks',
  }),
  aiConnectTimeout: duration({
    name: 'MAINSTAY_AI_CONNECT_TIMEOUT',
    meaning: 'How long a connection to a provider of models may take.',
    fallback: '10s',
    minSeconds: 1,
  }),
  aiFirstByteTimeout: duration({
    name: 'MAINSTAY_AI_FIRST_BYTE_TIMEOUT',
    meaning: 'How long a provider may take to begin to answer.',
    fallback: '60s',
    minSeconds: 1,
  }),
  aiFirstTokenTimeout: duration({
    name: 'MAINSTAY_AI_FIRST_TOKEN_TIMEOUT',
    meaning: 'How long a streamed answer may take to its first output.',
    fallback: '2m',
    minSeconds: 1,
  }),
  aiIdleTimeout: duration({
    name: 'MAINSTAY_AI_IDLE_TIMEOUT',
    meaning: 'How long an answer that has begun may be silent.',
    fallback: '60s',
    minSeconds: 1,
  }),
  aiTotalTimeout: duration({
    name: 'MAINSTAY_AI_TOTAL_TIMEOUT',
    meaning: 'How long a request of the AI gateway may take in all.',
    fallback: '30m',
    minSeconds: 1,
  }),
  aiBodyLimit: integer({
    name: 'MAINSTAY_AI_BODY_LIMIT_MIB',
    meaning: 'How large a request of the AI gateway may be, in MiB: images and audio come inside of it.',
    fallback: 50,
    min: 1,
    max: 1024,
  }),
  aiAffordableOutput: flag({
    name: 'MAINSTAY_AI_AFFORDABLE_OUTPUT',
    meaning:
      'Near the limit of a budget, the output of a request without its own limit is capped at what the budget covers, instead of rejecting the request.',
    fallback: true,
  }),
  aiWebhookTimeout: duration({
    name: 'MAINSTAY_AI_WEBHOOK_TIMEOUT',
    meaning:
      'How long the webhook of a policy may take each time. Requests not allowed by then are rejected.',
    fallback: '5s',
    minSeconds: 1,
    maxSeconds: 60,
  }),
  aiWebhookPrivateAddresses: list({
    name: 'MAINSTAY_AI_WEBHOOK_PRIVATE_ADDRESSES',
    meaning: 'Addresses (CIDR) that are not public and that webhooks of policies may have all the same.',
    accepts: isAddressBlock,
    expected: 'a list of addresses or CIDR blocks',
  }),
  aiTraceContent: flag({
    name: 'MAINSTAY_AI_TRACE_CONTENT',
    meaning:
      'Whether OpenTelemetry spans hold the messages of requests. They go to the collector as they are; leave it off unless you need it.',
    fallback: false,
  }),
};
