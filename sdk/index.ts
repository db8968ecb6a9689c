export type { AiOptions, AiSdkOptions, AnthropicOptions, OpenAiOptions } from './ai-packages.ts';
export type * from './api.ts';
export type { ChatChunk, ChatCompletion, ChatRequest } from './areas/ai.ts';
export type { CachedItem, Conditions } from './areas/fastcache.ts';
export type { InEnvironment } from './areas/storage.ts';
export type { LookUpOptions } from './areas/web-reputation.ts';
export {
  type Client,
  type ClientOptions,
  createClient,
  type KeyOptions,
  type SessionOptions,
  type TokenOptions,
} from './client.ts';
export { keyTokens, type TokenSource } from './credentials.ts';
export {
  type DeviceAuthorization,
  type OAuthApp,
  type PersonToken,
  refreshGrant,
  revokeGrant,
  startDeviceAuthorization,
  waitForDevice,
} from './device-grant.ts';
export { ApiError, ConnectionError, TimeoutError } from './errors.ts';
export type { FollowOptions } from './event-stream.ts';
export type { CreateOptions, List, RawRequest } from './requests.ts';
export type { RequestOptions } from './send.ts';
export {
  downloadObject,
  type OpenUpload,
  type Place,
  type UploadOptions,
  type UploadProgress,
  uploadObject,
} from './transfer.ts';
