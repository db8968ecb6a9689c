import { describe } from '../core/describe.ts';

export const api = describe({
  name: 'api',
  summary: 'Call any endpoint with your credentials',
  details:
    'Prints the response. The path can contain {app} and {org} for the linked application and organization.',
  arguments: {
    method: { summary: 'GET, POST, PUT, PATCH or DELETE; default GET', optional: true },
    path: { summary: 'The path of the endpoint, such as /organizations', optional: true },
  },
  options: {
    field: {
      type: 'string',
      short: 'F',
      multiple: true,
      value: 'NAME=VALUE',
      summary:
        'A field of the JSON body (of the query with GET): true, false, null and numbers are converted; @file reads a file',
    },
    'raw-field': {
      type: 'string',
      short: 'f',
      multiple: true,
      value: 'NAME=TEXT',
      summary: 'A field that is always sent as a string',
    },
    header: { type: 'string', short: 'H', multiple: true, value: 'NAME: VALUE', summary: 'A request header' },
    input: { type: 'string', value: 'FILE', summary: 'The body, from a file, or - for stdin' },
    include: { type: 'boolean', short: 'i', summary: 'Print the status and the headers too' },
    paginate: { type: 'boolean', summary: 'Fetch every page; prints one array of all items' },
  },
  examples: [
    ['mainstay api /organizations', 'List organizations'],
    ['mainstay api POST /applications -f organizationId=… -f name=web', 'Create an application'],
    ["mainstay api GET '/applications/{app}/env-vars' --paginate", 'All variables of the linked application'],
  ],
});
