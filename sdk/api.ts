// Made from openapi.json by `npm run openapi`.

export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public signing keys (RFC 7517)
         * @description No bearer token.
         */
        get: operations["getSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of the authorization server (RFC 8414)
         * @description No bearer token.
         */
        get: operations["getAuthorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server/idp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of the authorization server for people (RFC 8414)
         * @description No bearer token.
         */
        get: operations["getPeopleAuthorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of the authorization server (RFC 8414)
         * @description No bearer token.
         */
        get: operations["getOpenIdConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/ai-gateway/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models of the catalogue with their prices
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["listAiCatalogueModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/ai-gateway/models/{modelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the prices or facts of a model
         * @description Scope `platform:admin:write`. Actors: user.
         */
        put: operations["setAiCatalogueModel"];
        post?: never;
        /**
         * Delete what was set for a model; the bundled prices hold again
         * @description Scope `platform:admin:write`. Actors: user.
         */
        delete: operations["resetAiCatalogueModel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/ai-gateway/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the providers of models that all organizations use
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["listInstanceAiProviders"];
        put?: never;
        /**
         * Create a provider for all organizations
         * @description Scope `platform:admin:write`. Actors: user.
         */
        post: operations["createInstanceAiProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/ai-gateway/providers/{providerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a provider of the instance, with its credentials
         * @description Scope `platform:admin:write`. Actors: user.
         */
        delete: operations["deleteInstanceAiProvider"];
        options?: never;
        head?: never;
        /**
         * Update a provider of the instance
         * @description Scope `platform:admin:write`. Actors: user.
         */
        patch: operations["updateInstanceAiProvider"];
        trace?: never;
    };
    "/admin/ai-gateway/providers/{providerId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the connection to a provider of the instance
         * @description Scope `platform:admin:write`. Actors: user.
         */
        post: operations["testInstanceAiProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was changed on the instance
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["listWholeAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit-log/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the actions and actors that the audit log of the instance can be filtered by
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["getInstanceAuditLogFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/oauth-clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List OAuth apps
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["listOAuthClients"];
        put?: never;
        /**
         * Register an OAuth app
         * @description The response holds the client secret, which is not shown again.
         *
         *     Scope `platform:admin:write`. Actors: user.
         */
        post: operations["createOAuthClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/oauth-clients/{clientId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an OAuth app
         * @description All access that people granted to it ends.
         *
         *     Scope `platform:admin:write`. Actors: user.
         */
        delete: operations["deleteOAuthClient"];
        options?: never;
        head?: never;
        /**
         * Update an OAuth app
         * @description Scope `platform:admin:write`. Actors: user.
         */
        patch: operations["updateOAuthClient"];
        trace?: never;
    };
    "/admin/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all organizations of the instance
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["listAllOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/organizations/{adminOrganizationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Suspend an organization, or lift its suspension
         * @description Scope `platform:admin:write`. Actors: user.
         */
        patch: operations["updateAnyOrganization"];
        trace?: never;
    };
    "/admin/organizations/{adminOrganizationId}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products of any organization
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["listProductsOfAnyOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/organizations/{adminOrganizationId}/products/{product}/entitlement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the entitlement of an organization to a product
         * @description ACTIVE and SUSPENDED follow each other, both can become REVOKED, REVOKED can become ACTIVE.
         *
         *     Scope `platform:admin:write`. Actors: user.
         */
        put: operations["setEntitlement"];
        post?: never;
        /**
         * Remove the entitlement override of an organization
         * @description Scope `platform:admin:write`. Actors: user.
         */
        delete: operations["deleteEntitlement"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/organizations/{adminOrganizationId}/products/{product}/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the plan of an organization
         * @description Scope `platform:admin:write`. Actors: user.
         */
        put: operations["setSubscription"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the instance
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["getInstanceOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings that can change at runtime
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["getInstanceSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update settings at runtime
         * @description Every node applies them within a second.
         *
         *     Scope `platform:admin:write`. Actors: user.
         */
        patch: operations["updateInstanceSettings"];
        trace?: never;
    };
    "/admin/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the load and the health of the instance over time
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["getInstanceUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a user
         * @description Scope `platform:admin:write`. Actors: user.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/admin/users/{userId}/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a password-reset link for a user
         * @description Hand it over by a safe channel: it works once and is not shown again.
         *
         *     Scope `platform:admin:write`. Actors: user.
         */
        post: operations["createPasswordResetLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/web-reputation/overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the reputation overrides of the instance
         * @description Scope `platform:admin:read`. Actors: user.
         */
        get: operations["listInstanceReputationOverrides"];
        put?: never;
        /**
         * Create a reputation override for the instance
         * @description Scope `platform:admin:write`. Actors: user.
         */
        post: operations["createInstanceReputationOverride"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/web-reputation/overrides/{overrideId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a reputation override of the instance
         * @description Scope `platform:admin:write`. Actors: user.
         */
        delete: operations["deleteInstanceReputationOverride"];
        options?: never;
        head?: never;
        /**
         * Update a reputation override of the instance
         * @description Scope `platform:admin:write`. Actors: user.
         */
        patch: operations["updateInstanceReputationOverride"];
        trace?: never;
    };
    "/admin/web-reputation/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh all threat feeds
         * @description On the node that answers. GET /web-reputation/feeds shows the outcome.
         *
         *     Scope `platform:admin:write`. Actors: user.
         */
        post: operations["refreshReputationFeeds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/audio/speech": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create speech from text
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        post: operations["createSpeech"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/audio/transcriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a transcription of speech
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        post: operations["createTranscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a chat completion
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/embeddings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create embeddings
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        post: operations["createEmbedding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/images/generations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create images
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        post: operations["createAiImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a message (Anthropic's protocol)
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        post: operations["createAiMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate the tokens of a message (Anthropic’s protocol)
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        post: operations["countAiMessageTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that the caller may use
         * @description Scope `network:ai_gateway:models`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listAiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/models/{*}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a model
         * @description Scope `network:ai_gateway:models`. Actors: user, organization, application, deployment, function.
         */
        get: operations["getAiModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a response
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        post: operations["createAiResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a video
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        post: operations["createVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/videos/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the models that make videos
         * @description Scope `network:ai_gateway:models`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listAiVideoModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/videos/{videoId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a video
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        get: operations["getVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ai/v1/videos/{videoId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a video's content
         * @description Scope `network:ai_gateway:chat`. Actors: user, organization, application, deployment, function.
         */
        get: operations["getVideoContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Scope `platform:api_keys:read`. Actors: user, organization.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The response holds the secret, which is not shown again.
         *
         *     Scope `platform:api_keys:write`. Actors: user, organization.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scopes that you can give to keys
         * @description Scope `platform:api_keys:read`. Actors: user, organization.
         */
        get: operations["listApiKeyScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{apiKeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Scope `platform:api_keys:read`. Actors: user, organization.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Tokens that it was exchanged for stop working too.
         *
         *     Scope `platform:api_keys:delete`. Actors: user, organization.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{apiKeyId}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of an API key
         * @description Creates a second secret that works beside the first, which you then delete.
         *
         *     Scope `platform:api_keys:write`. Actors: user, organization.
         */
        post: operations["createApiKeySecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{apiKeyId}/secrets/{secretId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a secret of an API key
         * @description Tokens issued to it stop working.
         *
         *     Scope `platform:api_keys:delete`. Actors: user, organization.
         */
        delete: operations["deleteApiKeySecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List applications, by id
         * @description Of one organization, or of all that the token may see. Without `limit` up to 1,000 of them.
         *
         *     Scope `network:applications:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listApplications"];
        put?: never;
        /**
         * Create an application
         * @description With the environments `production` and `preview`, and a hostname.
         *
         *     Scope `network:applications:write`. Actors: user, organization.
         */
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an application
         * @description Scope `network:applications:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getApplication"];
        put?: never;
        post?: never;
        /**
         * Delete an application
         * @description Its keys, deployments, files and cache stop at once. It can be restored with all of them for a time.
         *
         *     Scope `network:applications:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteApplication"];
        options?: never;
        head?: never;
        /**
         * Update an application
         * @description Scope `network:applications:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        patch: operations["updateApplication"];
        trace?: never;
    };
    "/applications/{applicationId}/cache/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Purge the gateway cache of an application
         * @description Answers that the gateway keeps: by tag (`Cache-Tag`), by path, or all of them where neither is given. Within a second on every node. Code of a deployment purges its own environment.
         *
         *     Scope `network:deployments:read`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["purgeGatewayCache"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the domains of your own of an application
         * @description Scope `network:applications:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listDomains"];
        put?: never;
        /**
         * Add a domain of your own to an application
         * @description It is verified by a CNAME record to the hostname of the application, or by a TXT record where there can be none. It is looked up at once, and again until it is verified.
         *
         *     Scope `network:applications:write`. Actors: user, organization, application. Users need the role ADMIN or above in the organization.
         */
        post: operations["addDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/domains/{domainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a domain of your own
         * @description Scope `network:applications:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getDomain"];
        put?: never;
        post?: never;
        /**
         * Delete a domain of your own
         * @description Scope `network:applications:write`. Actors: user, organization, application. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/domains/{domainId}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up the records of a domain now
         * @description Scope `network:applications:write`. Actors: user, organization, application. Users need the role ADMIN or above in the organization.
         */
        post: operations["checkDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/env-vars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the variables of an application and its environments, by key
         * @description Scope `network:env_vars:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listApplicationEnvVars"];
        put?: never;
        /**
         * Create a variable of an application, or of one of its environments
         * @description `environmentId` without `scope` means the scope `environment`.
         *
         *     Scope `network:env_vars:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["createApplicationEnvVar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/env-vars/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare what two environments see
         * @description References are not replaced. Values of sensitive variables are neither shown nor compared.
         *
         *     Scope `network:env_vars:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["compareApplicationEnvVars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/env-vars/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy variables from one environment to another
         * @description Those that the first has of its own; sensitive ones stay sensitive. All or none.
         *
         *     Scope `network:env_vars:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["copyApplicationEnvVars"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/env-vars/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export variables of an application as a dotenv file, without sensitive values
         * @description Those of the application itself, or those that the environment has of its own.
         *
         *     Scope `network:env_vars:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["exportApplicationEnvVars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/env-vars/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import variables of an application from a dotenv file, all or none
         * @description Scope `network:env_vars:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["importApplicationEnvVars"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/env-vars/pull": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pull the variables that an application sees, without sensitive ones
         * @description Resolved from the organization, the application and the environment, the nearest winning; references are replaced. Without `environment`: of the organization and the application.
         *
         *     Scope `network:env_vars:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["pullApplicationEnvVars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/env-vars/resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what an application sees, with the names of sensitive variables
         * @description Scope `network:env_vars:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["resolveApplicationEnvVars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/env-vars/{envVarId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a variable of an application, with its history
         * @description Scope `network:env_vars:delete`. Actors: user, organization, application, deployment, function. Users need the role OWNER or above in the organization.
         */
        delete: operations["deleteApplicationEnvVar"];
        options?: never;
        head?: never;
        /**
         * Update a variable of an application
         * @description Its scope stays what it is: `scope` and `environmentId` may only say so.
         *
         *     Scope `network:env_vars:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        patch: operations["updateApplicationEnvVar"];
        trace?: never;
    };
    "/applications/{applicationId}/env-vars/{envVarId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a variable of an application, newest first
         * @description Scope `network:env_vars:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listApplicationEnvVarVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/env-vars/{envVarId}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an earlier version of a variable of an application
         * @description As a new version. What is sensitive stays so.
         *
         *     Scope `network:env_vars:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["restoreApplicationEnvVarVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the environments of an application
         * @description Scope `network:applications:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listEnvironments"];
        put?: never;
        /**
         * Create an environment
         * @description Scope `network:applications:write`. Actors: user, organization, application. Users need the role ADMIN or above in the organization.
         */
        post: operations["createEnvironment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/environments/{environmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an environment
         * @description Scope `network:applications:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getEnvironment"];
        put?: never;
        post?: never;
        /**
         * Delete an environment
         * @description With its variables and keys. Refused while something is active in it.
         *
         *     Scope `network:applications:write`. Actors: user, organization, application. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteEnvironment"];
        options?: never;
        head?: never;
        /**
         * Update an environment
         * @description Scope `network:applications:write`. Actors: user, organization, application. Users need the role ADMIN or above in the organization.
         */
        patch: operations["updateEnvironment"];
        trace?: never;
    };
    "/applications/{applicationId}/environments/{environmentId}/protection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the protection of an environment
         * @description Scope `network:deployments:read`. Actors: user, organization. Users need the role MEMBER or above in the organization.
         */
        get: operations["getEnvironmentProtection"];
        /**
         * Update the protection of an environment
         * @description Deployments of a protected environment are seen by members of the organization, and by those who have a shared link, the password or the token of automation. Off for new environments.
         *
         *     Scope `network:deployments:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        put: operations["updateEnvironmentProtection"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/environments/{environmentId}/protection/bypass": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the bypass token of an environment
         * @description For tests and monitors. The token before it stops working.
         *
         *     Scope `network:deployments:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        post: operations["createProtectionBypass"];
        /**
         * Delete the bypass token of an environment
         * @description Scope `network:deployments:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteProtectionBypass"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/environments/{environmentId}/protection/share-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link to a protected deployment
         * @description Scope `network:deployments:write`. Actors: user, organization. Users need the role MEMBER or above in the organization.
         */
        post: operations["createShareLink"];
        /**
         * End the shared links of an environment
         * @description All of them, and the visits of those who came in by one: everybody has to come in again.
         *
         *     Scope `network:deployments:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        delete: operations["endShareLinks"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/fastcache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an item of the cache of an application
         * @description For admins of the organization; in its audit log.
         *
         *     Scope `fastcache:read`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        get: operations["getApplicationCacheItem"];
        put?: never;
        /**
         * Set an item of the cache of an application
         * @description Scope `fastcache:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        post: operations["setApplicationCacheItem"];
        /**
         * Delete an item of the cache of an application, or all whose keys begin with a prefix
         * @description Scope `fastcache:delete`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteApplicationCacheItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/fastcache/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys in the cache of an application
         * @description For admins of the organization; in its audit log.
         *
         *     Scope `fastcache:read`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        get: operations["listApplicationCacheKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/fastcache/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how much an application has in the cache, and how well that serves
         * @description Scope `fastcache:read`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        get: operations["getApplicationCacheStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/hostname": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the hostname of an application
         * @description The label is written in small letters, with hyphens for blanks. The one before is free at once.
         *
         *     Scope `network:applications:write`. Actors: user, organization, application. Users need the role ADMIN or above in the organization.
         */
        put: operations["setHostname"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/hostname/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether an application can have a label as its hostname
         * @description Scope `network:applications:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["checkHostname"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/hostnames": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the hostnames of an application
         * @description Scope `network:applications:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listHostnames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload a picture of the application, as the body
         * @description JPEG, PNG, WebP, GIF or AVIF. It is drawn again as a square of 256 pixels.
         *
         *     Scope `network:applications:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        put: operations["setApplicationImage"];
        post?: never;
        /**
         * Delete the picture of an application
         * @description The avatar that is drawn from its id is shown again.
         *
         *     Scope `network:applications:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteApplicationImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/log-drains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List log drains
         * @description Scope `network:applications:read`. Actors: user, organization. Users need the role MEMBER or above in the organization.
         */
        get: operations["listLogDrains"];
        put?: never;
        /**
         * Create a log drain
         * @description Scope `network:applications:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        post: operations["createLogDrain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/log-drains/{drainId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a log drain
         * @description Scope `network:applications:read`. Actors: user, organization. Users need the role MEMBER or above in the organization.
         */
        get: operations["getLogDrain"];
        put?: never;
        post?: never;
        /**
         * Delete a log drain
         * @description Scope `network:applications:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteLogDrain"];
        options?: never;
        head?: never;
        /**
         * Update a log drain
         * @description Scope `network:applications:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        patch: operations["updateLogDrain"];
        trace?: never;
    };
    "/applications/{applicationId}/log-drains/{drainId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test request to a log drain
         * @description Scope `network:applications:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        post: operations["testLogDrain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests, newest first
         * @description Scope `network:requests:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/requests/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export requests as NDJSON
         * @description One request a line, as the list shows it, newest first. Starts at once, however many there are.
         *
         *     Scope `network:requests:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["exportRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/requests/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get statistics of requests
         * @description Scope `network:requests:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getRequestStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/requests/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream requests as they are answered
         * @description Server-sent events. Each `request` event holds a request as the list shows it; `skipped` says that more came than are sent. `from` and `to` are ignored; `Last-Event-ID` goes on where a connection broke off.
         *
         *     Scope `network:requests:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["streamRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/requests/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a request with its headers
         * @description Scope `network:requests:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted application
         * @description Scope `network:applications:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        post: operations["restoreApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List buckets
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listStorageBuckets"];
        put?: never;
        /**
         * Create a bucket
         * @description Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["createStorageBucket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bucket
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getStorageBucket"];
        put?: never;
        post?: never;
        /**
         * Delete a bucket with all its objects
         * @description Scope `network:storage:delete`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteStorageBucket"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/objects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List objects by key
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listStorageObjects"];
        /**
         * Store an object
         * @description The body is the content, of any type. If-Match and If-None-Match are honoured; Content-MD5 and Repr-Digest (sha-256) are checked. Larger objects go through upload sessions.
         *
         *     Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        put: operations["putStorageObject"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/objects/{objectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an object
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getStorageObject"];
        put?: never;
        post?: never;
        /**
         * Move an object to the trash
         * @description Scope `network:storage:delete`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteStorageObject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/objects/{objectId}/access-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an address that serves an object without a token
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getStorageObjectAccessUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/objects/{objectId}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy an object to another key or bucket
         * @description Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["copyStorageObject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/objects/{objectId}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move an object to another key
         * @description Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["moveStorageObject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/objects/{objectId}/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the headers, metadata and tags of an object
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getStorageObjectProperties"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the headers, metadata and tags of an object
         * @description Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        patch: operations["updateStorageObjectProperties"];
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings of a bucket and what it holds
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getStorageBucketSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the settings of a bucket
         * @description Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        patch: operations["updateStorageBucketSettings"];
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted objects that can be restored
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listStorageTrash"];
        put?: never;
        post?: never;
        /**
         * Empty the trash
         * @description Scope `network:storage:delete`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        delete: operations["emptyStorageTrash"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/trash/{objectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an object of the trash for good
         * @description Scope `network:storage:delete`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        delete: operations["purgeStorageObject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/trash/{objectId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted object
         * @description Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["restoreStorageObject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List upload sessions, newest first
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listStorageUploads"];
        put?: never;
        /**
         * Create an upload session
         * @description Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["createStorageUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an upload session
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getStorageUpload"];
        put?: never;
        post?: never;
        /**
         * Cancel an upload session
         * @description Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        delete: operations["cancelStorageUpload"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a bucket held and served, by day
         * @description Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listStorageBucketUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a key, newest first
         * @description Delete markers included. What is in the trash is listed there.
         *
         *     Scope `network:storage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listStorageObjectVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/versions/{versionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a version of an object for good
         * @description When it was the current one, the version before it takes its place.
         *
         *     Scope `network:storage:delete`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteStorageObjectVersion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/versions/{versionId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore an old version of an object
         * @description Its content becomes a new version, which the key holds from then on. Nothing is lost.
         *
         *     Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["restoreStorageObjectVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/storage/buckets/{bucket}/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret that signs requests to the webhook
         * @description Scope `network:storage:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["rotateStorageWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/applications/{applicationId}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer an application to another organization that you own
         * @description Tokens of its keys stop working; the keys themselves move with it.
         *
         *     Scope `network:applications:write`. Actors: user. Users need the role OWNER or above in the organization.
         */
        post: operations["transferApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deployments
         * @description Newest first.
         *
         *     Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listDeployments"];
        put?: never;
        /**
         * Create a deployment
         * @description It waits for its archive: start an upload, send its parts, complete it.
         *
         *     Scope `network:deployments:write`. Actors: user, organization, application.
         */
        post: operations["createDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deployment
         * @description Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        get: operations["getDeployment"];
        put?: never;
        post?: never;
        /**
         * Delete a deployment
         * @description Scope `network:deployments:write`. Actors: user, organization, application.
         */
        delete: operations["deleteDeployment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a deployment
         * @description Scope `network:deployments:trigger`. Actors: user, organization, application.
         */
        post: operations["cancelDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the published files of a deployment
         * @description Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listDeploymentFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/functions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the functions of a deployment
         * @description Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listDeploymentFunctions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/hostnames": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the hostnames of a deployment
         * @description Those that lead to it now; the application’s own comes first.
         *
         *     Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listDeploymentHostnames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/image-cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the image cache of a deployment
         * @description Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        get: operations["getImageCache"];
        put?: never;
        post?: never;
        /**
         * Purge the image cache of a deployment
         * @description All of its images, or those of one source.
         *
         *     Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        delete: operations["purgeImageCache"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the log of a deployment
         * @description What was done and printed until it was active or had failed, oldest first.
         *
         *     Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listDeploymentLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Promote a deployment
         * @description The hostnames of its environment lead to it at once, with the variables that it was deployed with.
         *
         *     Scope `network:deployments:trigger`. Actors: user, organization, application.
         */
        post: operations["promoteDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/redeploy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeploy a deployment
         * @description The same files with today’s variables, as a new deployment that needs no build.
         *
         *     Scope `network:deployments:trigger`. Actors: user, organization, application.
         */
        post: operations["redeployDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll back to a deployment
         * @description The hostnames of its environment lead to it at once, with the variables that it was deployed with.
         *
         *     Scope `network:deployments:trigger`. Actors: user, organization, application.
         */
        post: operations["rollbackDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the routes of a deployment
         * @description As they were compiled: those of its configuration, or of its framework. The first that matches decides.
         *
         *     Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listDeploymentRoutes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/routes/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test which route takes a URL
         * @description Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        post: operations["testDeploymentRoutes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/upload/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete the upload of an archive
         * @description The deployment is queued. Sent again with the same parts, nothing more happens.
         *
         *     Scope `network:deployments:write`. Actors: user, organization, application.
         */
        post: operations["completeDeploymentUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/upload/part": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the address of a part
         * @description Scope `network:deployments:write`. Actors: user, organization, application.
         */
        post: operations["createDeploymentUploadPart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/upload/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the upload of an archive
         * @description Scope `network:deployments:write`. Actors: user, organization, application.
         */
        post: operations["startDeploymentUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deployments/{deploymentId}/variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the variables of a deployment
         * @description Their names and where each came from when it was deployed; never their values.
         *
         *     Scope `network:deployments:read`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listDeploymentVariables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fastcache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a cache item
         * @description Scope `fastcache:read`. Actors: application, deployment, function.
         */
        get: operations["getCacheItem"];
        put?: never;
        /**
         * Set a cache item
         * @description With `If-None-Match: *` only when there is none, with `If-Match` only when the item has that entity tag; otherwise 412.
         *
         *     Scope `fastcache:write`. Actors: application, deployment, function.
         */
        post: operations["setCacheItem"];
        /**
         * Delete a cache item, or all with a key prefix
         * @description Deleting what is not there is no error. With `If-Match` only the item with that entity tag.
         *
         *     Scope `fastcache:delete`. Actors: application, deployment, function.
         */
        delete: operations["deleteCacheItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fastcache/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run up to 100 cache operations
         * @description Done in order, with nobody else’s between them; one that fails stops none. Writing and deleting need the scopes `fastcache:write` and `fastcache:delete` as well. A malformed operation refuses the batch.
         *
         *     Scope `fastcache:read`. Actors: application, deployment, function.
         */
        post: operations["batchCacheOperations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fastcache/increment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Increment a counter
         * @description Atomic. An item that holds no whole number, or would go beyond 2^53 - 1, is answered 409.
         *
         *     Scope `fastcache:write`. Actors: application, deployment, function.
         */
        post: operations["incrementCacheItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fastcache/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cache keys
         * @description Scope `fastcache:read`. Actors: application, deployment, function.
         */
        get: operations["listCacheKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fastcache/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get cache statistics
         * @description Scope `fastcache:read`. Actors: application, deployment, function.
         */
        get: operations["getCacheStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the process answers
         * @description No bearer token.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of the authorization server for people (RFC 8414)
         * @description No bearer token.
         */
        get: operations["getPeopleOpenIdConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the activity of your account
         * @description No bearer token.
         */
        get: operations["listAccountHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/change-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your e-mail address
         * @description No bearer token.
         */
        post: operations["changeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password; every other session ends, and what programs were allowed
         * @description No bearer token.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/delete-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete your account
         * @description Refused (409) while an organization has no other owner, and to the last operator.
         *
         *     No bearer token.
         */
        post: operations["deleteAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the OAuth apps with access to your account
         * @description No bearer token.
         */
        get: operations["listGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/grants/{grantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an OAuth app's access to your account
         * @description Its tokens stop working within a second, and so do the API keys that it has made, unless they are kept.
         *
         *     No bearer token.
         */
        delete: operations["revokeGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/grants/{grantId}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys that a program has made for you
         * @description No bearer token.
         */
        get: operations["listGrantApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/link-provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link the outside provider: says where to send the browser; needs a fresh session
         * @description No bearer token.
         */
        post: operations["linkProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/oauth2/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Authorize an OAuth app (authorization code with PKCE)
         * @description Parameters: `response_type=code`, `client_id`, `redirect_uri`, `scope`, `state`, `code_challenge`, `code_challenge_method=S256`, and as needed `nonce`, `prompt`, `max_age`. The answer arrives at `redirect_uri` with `code`, `state` and `iss`, or with `error`.
         *
         *     No bearer token.
         */
        get: operations["authorize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/oauth2/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pending authorization request
         * @description Takes the query of the page at /authorize.
         *
         *     No bearer token.
         */
        get: operations["getConsent"];
        put?: never;
        /**
         * Approve or deny an authorization request
         * @description No bearer token.
         */
        post: operations["decideConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/oauth2/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the device that waits under a code
         * @description No bearer token.
         */
        get: operations["getWaitingDevice"];
        put?: never;
        /**
         * Approve or deny a device
         * @description No bearer token.
         */
        post: operations["decideDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/oauth2/device_authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a device authorization (RFC 8628)
         * @description No bearer token.
         */
        post: operations["createDeviceAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/oauth2/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a refresh token or an access token (RFC 7009)
         * @description No bearer token.
         */
        post: operations["revokePersonToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/oauth2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a code or a refresh token for tokens
         * @description No bearer token.
         */
        post: operations["createPersonToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/oauth2/userinfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the profile of the person of the access token
         * @description Scope `openid`. Actors: user.
         */
        get: operations["getUserInfo"];
        put?: never;
        /**
         * Get the profile of the person of the access token
         * @description Scope `openid`. Actors: user.
         */
        post: operations["postUserInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the available sign-in options
         * @description No bearer token.
         */
        get: operations["getSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/passkey/delete-passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a passkey
         * @description No bearer token.
         */
        post: operations["deletePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/passkey/generate-authenticate-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a challenge to sign in with a passkey
         * @description No bearer token.
         */
        get: operations["getPasskeyChallenge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/passkey/generate-register-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a challenge to register a passkey
         * @description No bearer token.
         */
        get: operations["getPasskeyRegistration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/passkey/list-user-passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your passkeys
         * @description No bearer token.
         */
        get: operations["listPasskeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/passkey/update-passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rename a passkey
         * @description No bearer token.
         */
        post: operations["renamePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/passkey/verify-authentication": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description No bearer token.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/passkey/verify-registration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a passkey
         * @description No bearer token.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/password-strength": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rate the strength of a password
         * @description No bearer token.
         */
        post: operations["ratePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update your profile
         * @description No bearer token.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/idp/profile/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload your profile picture
         * @description JPEG, PNG, WebP, GIF or AVIF. It is drawn again as a square of 256 pixels.
         *
         *     No bearer token.
         */
        put: operations["setProfileImage"];
        post?: never;
        /**
         * Delete your profile picture
         * @description No bearer token.
         */
        delete: operations["deleteProfileImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/request-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a link for a new password to this address, if somebody here has it
         * @description No bearer token.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a new password with the token of the link; every session ends
         * @description The API keys that the person has made end too, unless they are kept.
         *
         *     No bearer token.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/reset-password/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the API keys that the person of a reset link has made
         * @description No bearer token.
         */
        post: operations["listResetApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/send-verification-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the verification e-mail
         * @description No bearer token.
         */
        post: operations["sendVerificationMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current session
         * @description No bearer token.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description No bearer token.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/sessions/end-others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all other sessions
         * @description Ends every other session, what programs were allowed, and codes and links that wait. This browser gets another cookie. API keys stay.
         *
         *     No bearer token.
         */
        post: operations["endOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description No bearer token.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the setup link of a new instance
         * @description No bearer token.
         */
        get: operations["getSetup"];
        put?: never;
        /**
         * Create the first operator of a new instance
         * @description No bearer token.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/sign-in/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with e-mail and password
         * @description No bearer token.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/sign-in/provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in at the outside provider: the answer says where to send the browser
         * @description No bearer token.
         */
        post: operations["signInWithProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session of this browser
         * @description No bearer token.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/sign-up/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description The response is the same for an address that already has an account.
         *
         *     No bearer token.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable two-factor authentication
         * @description No bearer token.
         */
        post: operations["disableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/two-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable two-factor authentication
         * @description No bearer token.
         */
        post: operations["enableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/two-factor/generate-backup-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes
         * @description No bearer token.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/two-factor/get-totp-uri": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the QR code for an authenticator app
         * @description No bearer token.
         */
        post: operations["getTotpUri"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/two-factor/verify-backup-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a recovery code
         * @description No bearer token.
         */
        post: operations["useRecoveryCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/two-factor/verify-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a code of an authenticator app
         * @description No bearer token.
         */
        post: operations["verifyTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/unlink-provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlink the external sign-in provider
         * @description No bearer token.
         */
        post: operations["unlinkProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/idp/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an e-mail address
         * @description No bearer token.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/runtime-cache/v1/entries/{kind}/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an entry of the runtime cache
         * @description Scope `fastcache:read`. Actors: deployment, function.
         */
        get: operations["getRuntimeCacheEntry"];
        /**
         * Put an entry into the runtime cache
         * @description Scope `fastcache:write`. Actors: deployment, function.
         */
        put: operations["putRuntimeCacheEntry"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/runtime-cache/v1/tags/expiration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get when tags of the runtime cache expired
         * @description Scope `fastcache:read`. Actors: deployment, function.
         */
        post: operations["getRuntimeCacheTagExpiration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/runtime-cache/v1/tags/revalidate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revalidate tags of the runtime cache
         * @description Scope `fastcache:write`. Actors: deployment, function.
         */
        post: operations["revalidateRuntimeCacheTags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/runtime-cache/v1/tags/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the state of tags of the runtime cache
         * @description Scope `fastcache:read`. Actors: deployment, function.
         */
        post: operations["getRuntimeCacheTagState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Scope `platform:organizations:write`. Actors: user.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an invitation by its token
         * @description No bearer token.
         */
        post: operations["openInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/introspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Introspect a token (RFC 7662)
         * @description Tokens of other accounts are answered as inactive.
         *
         *     No bearer token.
         */
        post: operations["introspectToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a token (RFC 7009)
         * @description No bearer token.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an API key for an access token
         * @description No bearer token.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organizations
         * @description Scope `platform:organizations:read`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization
         * @description Scope `platform:organizations:write`. Actors: user.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an organization
         * @description Scope `platform:organizations:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        /**
         * Delete an organization
         * @description It can be restored for some time.
         *
         *     Scope `platform:organizations:write`. Actors: user. Users need the role OWNER or above in the organization.
         */
        delete: operations["deleteOrganization"];
        options?: never;
        head?: never;
        /**
         * Update an organization
         * @description Scope `platform:organizations:write`. Actors: user. Users need the role OWNER or above in the organization.
         */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/aliases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the aliases of models
         * @description Scope `network:ai_gateway:policies:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listAiAliases"];
        /**
         * Replace the aliases of models
         * @description Scope `network:ai_gateway:policies:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        put: operations["replaceAiAliases"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List budgets with what was used of them
         * @description Scope `network:ai_gateway:budgets:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listAiBudgets"];
        /**
         * Replace the budgets
         * @description A budget of the same subject and period keeps its id and what was used of it. With `If-Match` only while the set is the one that was read.
         *
         *     Scope `network:ai_gateway:budgets:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        put: operations["replaceAiBudgets"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain which provider a request would be sent to, and why
         * @description Scope `network:ai_gateway:policies:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        post: operations["explainAiRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the policy of the organization, an application or an API key
         * @description Scope `network:ai_gateway:policies:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getAiPolicy"];
        /**
         * Replace a policy
         * @description Scope `network:ai_gateway:policies:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        put: operations["replaceAiPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an organization's own providers of models
         * @description Scope `network:ai_gateway:policies:read`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        get: operations["listAiProviders"];
        put?: never;
        /**
         * Create a provider with credentials of the organization
         * @description Scope `network:ai_gateway:policies:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["createAiProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/providers/{providerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a provider of the organization, with its credentials
         * @description Scope `network:ai_gateway:policies:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteAiProvider"];
        options?: never;
        head?: never;
        /**
         * Update a provider of the organization
         * @description Scope `network:ai_gateway:policies:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        patch: operations["updateAiProvider"];
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/providers/{providerId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the connection to a provider of the organization
         * @description Scope `network:ai_gateway:policies:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["testAiProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/usage/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export requests as CSV, newest first
         * @description Scope `network:ai_gateway:usage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["exportAiUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/usage/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests, newest first
         * @description Scope `network:ai_gateway:usage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listAiUsageRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/usage/requests/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a request with its attempts
         * @description Scope `network:ai_gateway:usage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getAiUsageRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/usage/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get requests, tokens and costs over time
         * @description Scope `network:ai_gateway:usage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getAiUsageSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/ai-gateway/usage/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the sums of requests, tokens and costs
         * @description Scope `network:ai_gateway:usage:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getAiUsageSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was changed in an organization
         * @description Scope `platform:organizations:read`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/audit-log/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the actions and actors that an audit log can be filtered by
         * @description Scope `platform:organizations:read`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        get: operations["getAuditLogFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/env-vars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the variables of an organization
         * @description Scope `network:env_vars:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listOrganizationEnvVars"];
        put?: never;
        /**
         * Create a variable
         * @description Scope `network:env_vars:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["createOrganizationEnvVar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/env-vars/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export variables as a dotenv file
         * @description Scope `network:env_vars:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["exportOrganizationEnvVars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/env-vars/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import variables from a dotenv file
         * @description Scope `network:env_vars:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["importOrganizationEnvVars"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/env-vars/resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resolve the variables that an application sees
         * @description Scope `network:env_vars:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["resolveOrganizationEnvVars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/env-vars/{envVarId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a variable
         * @description Scope `network:env_vars:delete`. Actors: user, organization, application, deployment, function. Users need the role OWNER or above in the organization.
         */
        delete: operations["deleteOrganizationEnvVar"];
        options?: never;
        head?: never;
        /**
         * Update a variable
         * @description Scope `network:env_vars:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        patch: operations["updateOrganizationEnvVar"];
        trace?: never;
    };
    "/organizations/{organizationId}/env-vars/{envVarId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a variable
         * @description Scope `network:env_vars:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listOrganizationEnvVarVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/env-vars/{envVarId}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version of a variable
         * @description Scope `network:env_vars:write`. Actors: user, organization, application, deployment, function. Users need the role ADMIN or above in the organization.
         */
        post: operations["restoreOrganizationEnvVarVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload the picture of an organization
         * @description JPEG, PNG, WebP, GIF or AVIF. It is drawn again as a square of 256 pixels.
         *
         *     Scope `platform:organizations:write`. Actors: user. Users need the role OWNER or above in the organization.
         */
        put: operations["setOrganizationImage"];
        post?: never;
        /**
         * Delete the picture of an organization
         * @description Scope `platform:organizations:write`. Actors: user. Users need the role OWNER or above in the organization.
         */
        delete: operations["deleteOrganizationImage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pending invitations
         * @description Scope `platform:organizations:read`. Actors: user, organization. Users need the role OWNER or above in the organization.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a member
         * @description An earlier invitation of the same address ends.
         *
         *     Scope `platform:organizations:write`. Actors: user, organization. Users need the role OWNER or above in the organization.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Scope `platform:organizations:write`. Actors: user, organization. Users need the role OWNER or above in the organization.
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Scope `platform:organizations:read`. Actors: user, organization. Users need the role MEMBER or above in the organization.
         */
        get: operations["listOrganizationMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/members/{membershipId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member, or leave
         * @description The API keys that the member has made for the organization end too. Owners may keep them.
         *
         *     Scope `platform:organizations:write`. Actors: user, organization. Users need the role MEMBER or above in the organization.
         */
        delete: operations["removeOrganizationMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description The last owner cannot be changed.
         *
         *     Scope `platform:organizations:write`. Actors: user, organization. Users need the role OWNER or above in the organization.
         */
        patch: operations["updateOrganizationMember"];
        trace?: never;
    };
    "/organizations/{organizationId}/members/{membershipId}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys that a member has made for the organization and its applications
         * @description Scope `platform:api_keys:read`. Actors: user, organization. Users need the role OWNER or above in the organization.
         */
        get: operations["listOrganizationMemberApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the caller may do in an organization
         * @description Scope `platform:organizations:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products of an organization
         * @description Scope `platform:organizations:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["listOrganizationProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/products/{product}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an organization's access to a product
         * @description Scope `platform:organizations:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getOrganizationProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/products/{product}/entitlement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check an organization's access to a product
         * @description Scope `platform:organizations:read`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["checkOrganizationProductEntitlement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted organization
         * @description Scope `platform:organizations:write`. Actors: user. Users need the role OWNER or above in the organization.
         */
        post: operations["restoreOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the requests, errors and tokens of an organization over time
         * @description Scope `platform:organizations:read`. Actors: user, organization. Users need the role MEMBER or above in the organization.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/web-reputation/overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reputation overrides
         * @description Scope `platform:organizations:read`. Actors: user, organization. Users need the role MEMBER or above in the organization.
         */
        get: operations["listReputationOverrides"];
        put?: never;
        /**
         * Create a reputation override
         * @description Scope `platform:organizations:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        post: operations["createReputationOverride"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizations/{organizationId}/web-reputation/overrides/{overrideId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a reputation override
         * @description Scope `platform:organizations:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        delete: operations["deleteReputationOverride"];
        options?: never;
        head?: never;
        /**
         * Update a reputation override
         * @description Scope `platform:organizations:write`. Actors: user, organization. Users need the role ADMIN or above in the organization.
         */
        patch: operations["updateReputationOverride"];
        trace?: never;
    };
    "/preview-access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get into a protected deployment
         * @description What the dashboard asks after a visitor of a protected hostname has signed in.
         *
         *     Scope `network:deployments:read`. Actors: user.
         */
        post: operations["createPreviewAccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether the server and its dependencies are ready
         * @description No bearer token.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sticky-sessions/urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a URL that reaches the same process each time
         * @description For code of a deployment. As long as the process lives and has room, requests to URLs with the same key reach it.
         *
         *     Scope `network:deployments:read`. Actors: deployment, function.
         */
        post: operations["createStickySessionUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web-reputation/domain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the reputation of domains
         * @description Scope `web-reputation:domain:get`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getDomainReputation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web-reputation/domain/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain the reputation of domains
         * @description Scope `web-reputation:domain:get`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["explainDomainReputation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web-reputation/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the reputation of e-mail addresses
         * @description Scope `web-reputation:email:get`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["getEmailReputation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web-reputation/email/suggestion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Suggest corrections of mistyped e-mail addresses
         * @description Scope `web-reputation:email:get`. Actors: user, organization, application, deployment, function. Users need the role MEMBER or above in the organization.
         */
        get: operations["suggestEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/web-reputation/feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List threat feeds
         * @description Scope `web-reputation:domain:get`. Actors: user, organization, application, deployment, function.
         */
        get: operations["listReputationFeeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/whois/availability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether domains are available
         * @description Up to 20 names, each by the cheapest sure answer: what is kept, the DNS, the registry.
         *
         *     Scope `whois:domain:get`. Actors: user, organization, application, deployment, function.
         */
        get: operations["getDomainAvailability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/whois/domain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up the registration of a domain
         * @description From the registry by RDAP or WHOIS, kept for a day; `Age` says for how many seconds already.
         *
         *     Scope `whois:domain:get`. Actors: user, organization, application, deployment, function.
         */
        get: operations["getWhoisOfDomain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptedInvitation: {
            /** Format: uuid */
            organizationId: string;
            /** Format: uuid */
            membershipId: string;
            /** @enum {string} */
            role: "OWNER" | "ADMIN" | "MEMBER";
        };
        AddressConfirmed: {
            status: boolean;
            /** @description For the first of the two links that move an account: the new address, to which the second has gone. */
            letterTo?: string;
        };
        AdminOrganization: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            imageUrl: string;
            members: number;
            suspended: boolean;
            deletedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        AdminUser: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string;
            operator: boolean;
            /** @description Taken off the waitlist. */
            admitted: boolean;
            suspended: boolean;
            hasPaymentMethod: boolean;
            /** @description How many the user belongs to. */
            organizations: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        AiBudget: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organizationId: string;
            applicationId: string | null;
            userId: string | null;
            apiKeyId: string | null;
            /** @enum {string} */
            period: "day" | "month";
            maxCostMicros: number | null;
            maxRequests: number | null;
            maxTokens: number | null;
            maxRequestCostMicros: number | null;
            enabled: boolean;
            used: {
                costMicros: number;
                requests: number;
                tokens: number;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            windowStart: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            windowEnd: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        AiCatalogueModel: {
            id: string;
            name: string;
            /** @enum {string} */
            source: "bundled" | "file" | "override";
            prices: {
                input: number;
                output: number;
                cachedInput: number | null;
                cacheWrite: number | null;
                perRequest: number;
                perImage: number;
                perSecond: number;
                /** @description The price list, or `operator`. */
                source: string;
            } | null;
            capabilities: {
                chat: boolean | null;
                streaming: boolean | null;
                tools: boolean | null;
                vision: boolean | null;
                json_mode: boolean | null;
            };
            contextWindow: number | null;
            maxOutputTokens: number | null;
            updatedAt: string | null;
        };
        AiError: {
            error: {
                message: string;
                type: string;
                param: string | null;
                code: string | null;
            };
        };
        AiExplanation: {
            /** @description That would be served; the requested one where nothing would. */
            model: string;
            worstCaseMicros: number | null;
            candidates: {
                provider: string;
                model: string;
                /** @enum {string} */
                verdict: "chosen" | "fallback" | "skipped";
                rule: string | null;
                reason: string | null;
            }[];
        };
        AiModel: {
            id: string;
            /** @enum {string} */
            object: "model";
            created: number;
            owned_by: string;
            name: string;
            provider: string;
            providerLogoUrl?: string;
            capabilities: {
                chat: boolean;
                streaming: boolean;
                tools: boolean;
                vision: boolean;
                json_mode: boolean;
            };
            modalities: {
                input: string[];
                output: string[];
            };
            contextWindow: number | null;
            maxOutputTokens: number | null;
            description?: string;
            prices: {
                input: number;
                output: number;
                cachedInput: number | null;
            } | null;
            routingProviders: string[];
            routingProviderDetails: {
                id: string;
                name: string;
                logoUrl?: string;
                supportsZdr: boolean;
            }[];
            zdrProviders: string[];
        };
        AiPolicy: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organizationId: string;
            applicationId: string | null;
            apiKeyId: string | null;
            allowedModels: string[] | null;
            allowedProviders: string[] | null;
            requireZdr: boolean;
            allowFallbacks: boolean;
            maxOutputTokens: number | null;
            requestsPerMinute: number | null;
            tokensPerMinute: number | null;
            guardrails: {
                /**
                 * @description `card`: numbers of payment cards with a right check digit; `api_key`: keys of well-known makers, tokens, private keys.
                 * @enum {string}
                 */
                type: "pattern" | "card" | "api_key" | "email";
                /** @description For `pattern`: an expression in RE2 syntax, without look-around and back-references. */
                pattern?: string;
                /** @enum {string} */
                on: "request" | "response" | "both";
                /** @enum {string} */
                action: "redact" | "refuse";
            }[];
            webhookUrl: string | null;
            cacheTtlSeconds: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        AiProvider: {
            /** Format: uuid */
            id: string;
            slug: string;
            /** @enum {string} */
            type: "openai" | "openai-compatible" | "azure" | "anthropic" | "gemini";
            name: string;
            baseUrl: string | null;
            zdr: boolean;
            priority: number;
            enabled: boolean;
            allowPrivate: boolean;
            models: string[] | null;
            credentials: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @description The last characters of the key. */
                hint: string;
                weight: number;
                enabled: boolean;
            }[];
            /** @description Comes from MAINSTAY_AI_PROVIDERS_FILE. */
            readOnly: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        AiProviderTest: {
            ok: boolean;
            latencyMs: number;
            /** @description Ids that it lists, at most 1000. */
            models: string[];
            error: string | null;
        };
        AiUsageEvent: {
            /** Format: uuid */
            id: string;
            requestId: string;
            traceId: string | null;
            /** @enum {string} */
            billingSubjectType: "organization" | "application";
            /** Format: uuid */
            organizationId: string;
            applicationId: string | null;
            actorId: string | null;
            actorType: string;
            apiKeyId: string | null;
            authenticatedUserId: string | null;
            callerEndUserId: string | null;
            modelRequested: string;
            modelServed: string | null;
            provider: string | null;
            providerAttempts: {
                provider: string;
                model?: string;
                error?: string;
                statusCode?: number;
                /** @description `skipped:<rule>` for candidates that were passed over. */
                tag?: string;
                /** @description Since the request arrived. */
                startedMs?: number;
                durationMs?: number;
                firstTokenMs?: number;
            }[] | null;
            /** @enum {string} */
            status: "pending" | "success" | "error" | "cancelled";
            errorCode: string | null;
            errorType: string | null;
            inputTokens: number;
            outputTokens: number;
            cachedInputTokens: number;
            totalTokens: number;
            /** @enum {string} */
            usageSource: "provider" | "estimated" | "none";
            providerCostMicros: number;
            billableCostMicros: number;
            streaming: boolean;
            latencyMs: number | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            startedAt: string;
            completedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
            path: string;
            /**
             * @description Where the cost comes from. `unpriced`: it is not known, and counts as 0.
             * @enum {string}
             */
            pricing: "list" | "provider" | "unpriced" | "none";
            unitPrices: {
                [key: string]: number | string;
            } | null;
            cacheHit: boolean;
            cacheWriteTokens: number;
            reasoningTokens: number;
            firstTokenMs: number | null;
            /** @description What budgets count: billions of a dollar. */
            costNanos: number;
        };
        AiUsageSeries: {
            /** @enum {string} */
            interval: "hour" | "day";
            items: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 */
                start: string;
                /** @description Of the group; empty without `groupBy`. */
                label: string;
                requests: number;
                errors: number;
                inputTokens: number;
                outputTokens: number;
                costMicros: number;
                avgLatencyMs: number;
            }[];
        };
        AiUsageSummary: {
            summary: {
                requestCount: number;
                successCount: number;
                errorCount: number;
                inputTokens: number;
                outputTokens: number;
                totalTokens: number;
                billableCostMicros: number;
                avgLatencyMs: number;
            };
            byModel: {
                label: string;
                requests: number;
                tokens: number;
                inputTokens: number;
                outputTokens: number;
                costMicros: number;
            }[];
            byProvider: {
                label: string;
                requests: number;
                tokens: number;
                inputTokens: number;
                outputTokens: number;
                costMicros: number;
            }[];
            byApplication: {
                label: string;
                requests: number;
                tokens: number;
                inputTokens: number;
                outputTokens: number;
                costMicros: number;
            }[];
            /** @description By end user, else by user. The thousand that cost the most. */
            byUser: {
                label: string;
                requests: number;
                tokens: number;
                inputTokens: number;
                outputTokens: number;
                costMicros: number;
            }[];
        };
        ApiKey: {
            /**
             * Format: uuid
             * @description The client id of the token endpoint.
             */
            id: string;
            name: string;
            applicationId: string | null;
            organizationId: string | null;
            environmentId: string | null;
            scopes: string[];
            allowedAddresses: string[];
            /** @description The live secrets; two during a rotation. Never the secrets themselves. */
            secrets: {
                /** Format: uuid */
                id: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 */
                createdAt: string;
            }[];
            expiresAt: string | null;
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        Application: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organizationId: string;
            name: string;
            slug: string;
            /** Format: uri */
            imageUrl: string;
            rootDirectory: string | null;
            defaultEnvironmentSlug: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        ApplicationHostname: {
            label: string;
            hostname: string;
            /** @description Whether a production deployment answers there. */
            live: boolean;
        };
        ApplicationSummary: {
            /** Format: uuid */
            id: string;
            organization: components["schemas"]["Organization"];
            name: string;
            /** Format: uri */
            imageUrl: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            deletedAt?: string;
            /**
             * Format: date-time
             * @description Until when a deleted one can be restored.
             */
            purgedAt?: string;
        };
        AskedScope: {
            scope: string;
            /** @description What it allows, for the person. */
            text: string;
        };
        AskingClient: {
            id: string;
            name: string;
            /** @description Whether it is a program of this platform. */
            firstParty: boolean;
        };
        AuditFacets: {
            actions: string[];
            targetTypes: string[];
            actors: {
                type: string;
                id: string;
                name: string | null;
            }[];
        };
        AuditRecord: {
            /** Format: uuid */
            id: string;
            organizationId: string | null;
            actor: {
                /** @description user, organization, application, deployment, function or system. */
                type: string;
                id: string | null;
            };
            /** @description For example `api_key.created`. */
            action: string;
            target: {
                type: string;
                id: string | null;
            };
            requestId: string | null;
            /** @description What changed. Never a secret. */
            details: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        BrowserSession: {
            /** Format: uuid */
            id: string;
            /** @description The one of this browser. */
            current: boolean;
            address: string | null;
            userAgent: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description When it ends unless it is used before.
             */
            expiresAt: string;
        };
        CacheBatch: {
            /** @description One for each operation, in the same order. */
            results: {
                /** @description What the operation would have been answered on its own. */
                status: number;
                item?: components["schemas"]["CacheItem"];
                etag?: string;
                expiresAt?: string | null;
                /** @description What is wrong and how to mend it. */
                error?: string;
            }[];
        };
        CacheDeletion: {
            /** @description How many items there were. */
            deletedCount: number;
        };
        CacheItem: {
            key: string;
            value: string;
            /** @description As it was sent; 0: never. The moment itself: the Expires header. */
            expiration: number;
            /** @description Size of the value in UTF-8. */
            byteSize: number;
        };
        CacheKey: {
            key: string;
            /** @description As it was sent; 0: never. The moment itself: the Expires header. */
            expiration: number;
            expiresAt: string | null;
            /** @description Size of the value in UTF-8. */
            byteSize: number;
        };
        CacheStats: {
            /** @description Items; expired ones may count for some seconds. */
            items: number;
            /** @description Of keys and values as they are stored, and 160 for each item. */
            bytes: number;
            /** @description Past this, items make room for new ones. */
            maxBytes: number;
            hits: number;
            misses: number;
            /** @description Items that left before their time to make room. */
            evictions: number;
        };
        Consent: {
            client: components["schemas"]["AskingClient"];
            /** @description Where the answer goes: show it beside the name. */
            redirectHost: string;
            scopes: components["schemas"]["AskedScope"][];
            account: {
                /** Format: uuid */
                id: string;
                email: string;
                name: string;
            } | null;
            /** @description Nobody is signed in, or the client wants it done again: sign in, then ask for this again. */
            signInNeeded: boolean;
        };
        ConsentOutcome: {
            /** @description Send the browser there. */
            redirectTo: string;
        };
        CreatedApiKey: {
            /**
             * Format: uuid
             * @description The client id of the token endpoint.
             */
            id: string;
            name: string;
            applicationId: string | null;
            organizationId: string | null;
            environmentId: string | null;
            scopes: string[];
            allowedAddresses: string[];
            /** @description The live secrets; two during a rotation. Never the secrets themselves. */
            secrets: {
                /** Format: uuid */
                id: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 */
                createdAt: string;
            }[];
            expiresAt: string | null;
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
            /** @description Shown this once; it cannot be read again. */
            secret: string;
        };
        CreatedInvitation: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organizationId: string;
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "OWNER" | "ADMIN" | "MEMBER";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /** @description Whether the link went out by mail. */
            sent: boolean;
            url: string | null;
        };
        CreatedOAuthClient: {
            /**
             * Format: uuid
             * @description The client_id.
             */
            id: string;
            /** @description What people see who asks them. */
            name: string;
            redirectUris: string[];
            /** @description What it may ask people for. */
            scopes: string[];
            /** @description Whether it has a secret. */
            confidential: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
            /** @description Shown this once; null for a public client. */
            secret: string | null;
        };
        CreatedSecret: {
            /** Format: uuid */
            id: string;
            /** @description Shown this once; it cannot be read again. */
            secret: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        CreatedStorageUpload: {
            session: components["schemas"]["StorageUploadSession"];
            upload: {
                /** @enum {string} */
                method: "PATCH";
                /** @description Speaks tus 1.0 and needs no bearer token. */
                url: string;
                headers: {
                    [key: string]: string;
                };
                publicObjectUrl: string | null;
            };
        };
        CurrentSession: {
            user: components["schemas"]["Person"] | null;
            session: {
                /** Format: uuid */
                id: string;
                /** @description The one of this browser. */
                current: boolean;
                address: string | null;
                userAgent: string | null;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 */
                lastUsedAt: string;
                /**
                 * Format: date-time
                 * @description When it ends unless it is used before.
                 */
                expiresAt: string;
                /** @description Signed in lately enough to add passkeys and to unlink the provider. When false, ask the person to sign in again first. */
                fresh: boolean;
            } | null;
            /** @description What the API lets this session do. */
            scopes: string[];
        };
        Deployment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            applicationId: string;
            /** Format: uuid */
            environmentId: string;
            /** @enum {string} */
            status: "PENDING" | "QUEUED" | "STARTING" | "BUILDING" | "PROVISIONING" | "ACTIVE" | "FAILED";
            reason: string | null;
            branch: string | null;
            gitSha: string | null;
            /** @description Whether a hostname of its environment leads to it now. */
            live: boolean;
            redeployOf: string | null;
            /** @description Who started it. */
            actorType: string;
            actorId: string | null;
            summary: {
                [key: string]: unknown;
            } | null;
            activeAt: string | null;
            finishedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        DeploymentFile: {
            /** Format: uuid */
            id: string;
            path: string;
            bytes: number;
            type: string;
            /** @description Its name holds a hash of its content: browsers keep it. */
            immutable: boolean;
            brotliBytes: number | null;
            gzipBytes: number | null;
        };
        DeploymentFunction: {
            /** Format: uuid */
            id: string;
            /** @description The file in the project, as routes name it. */
            name: string;
            runtime: string;
            memoryMegabytes: number;
            maxDurationSeconds: number;
            schedule: string | null;
            packageBytes: number | null;
        };
        DeploymentLogLine: {
            /** Format: uuid */
            id: string;
            message: string;
            /** @enum {string} */
            type: "INFO" | "ERROR" | "WARN" | "DEBUG";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        DeploymentRoute: {
            index: number;
            source: string;
            destination: string | null;
        } & {
            [key: string]: unknown;
        };
        DeploymentVariable: {
            key: string;
            /** @enum {string} */
            source: "organization" | "application" | "environment" | "configuration" | "platform" | "service";
            sensitive: boolean;
        };
        DeviceAuthorization: {
            device_code: string;
            /** @description For the person to type, such as `BCDF-GHJK`. */
            user_code: string;
            verification_uri: string;
            verification_uri_complete: string;
            expires_in: number;
            /** @description Seconds to leave between two requests for the token. */
            interval: number;
        };
        DeviceOutcome: {
            /** @enum {string} */
            status: "approved" | "denied";
        };
        Discovery: {
            issuer: string;
            token_endpoint: string;
            introspection_endpoint: string;
            revocation_endpoint: string;
            jwks_uri: string;
            scopes_supported: string[];
            response_types_supported: string[];
            grant_types_supported: string[];
            subject_types_supported: string[];
            id_token_signing_alg_values_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            introspection_endpoint_auth_methods_supported: string[];
            revocation_endpoint_auth_methods_supported: string[];
            service_documentation: string;
        };
        DnsRecord: {
            /** @enum {string} */
            type: "TXT" | "CNAME" | "ALIAS";
            name: string;
            value: string;
            /** @enum {string} */
            purpose: "proof" | "traffic" | "proof_and_traffic";
            /**
             * @description `unknown`: not looked up yet, no name server answered, or it cannot be told by a look-up.
             * @enum {string}
             */
            status: "set" | "missing" | "different" | "unknown";
            /** @description What stands there instead. */
            found: string[];
        };
        Domain: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            applicationId: string;
            domain: string;
            /** @enum {string} */
            state: "pending" | "verified" | "failed";
            /** @description What to set in the DNS of the domain. */
            records: components["schemas"]["DnsRecord"][];
            problem: string | null;
            checkedAt: string | null;
            verifiedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        DomainAvailability: {
            /** @description The root domain, in ASCII form. */
            domain: string;
            /**
             * @description `unknown`: the registry did not answer, or there is none.
             * @enum {string}
             */
            status: "registered" | "free" | "reserved" | "unknown";
            source: ("cache" | "dns" | "rdap" | "whois") | null;
        };
        DomainExplanation: {
            domain: string;
            /**
             * @description What the domain is known for; `neutral` when it stands on no list and imitates nobody.
             * @enum {string}
             */
            status: "neutral" | "adult_content" | "phishing" | "spam" | "disposable_email" | "relay_email" | "piracy" | "malware" | "tracker" | "squat";
            /** @description Whether to keep away from it: true for all but neutral and relay_email. */
            withholdingRecommended: boolean;
            /**
             * @description What decided the status.
             * @enum {string}
             */
            source: "override" | "feed" | "squat" | "none";
            override: {
                /** Format: uuid */
                id: string;
                /** @description The domain itself or the parent that the override is of. */
                domain: string;
                /** @enum {string} */
                action: "block" | "allow";
                /** @enum {string} */
                by: "organization" | "operator";
                note: string | null;
            } | null;
            listed: {
                /** @description The domain itself or the parent that the lists have. */
                name: string;
                feeds: {
                    feed: string;
                    /**
                     * @description What the domain is known for; `neutral` when it stands on no list and imitates nobody.
                     * @enum {string}
                     */
                    status: "neutral" | "adult_content" | "phishing" | "spam" | "disposable_email" | "relay_email" | "piracy" | "malware" | "tracker" | "squat";
                    /**
                     * Format: date
                     * @description The day when it was first seen there.
                     */
                    since: string;
                }[];
            } | null;
            imitates: {
                domain: string;
                /** @enum {string} */
                technique: "wrong_tld" | "homoglyph" | "typo" | "hyphenation" | "combosquatting" | "subdomain";
            } | null;
        };
        DomainReputation: {
            /** @description Lower-case, in punycode. */
            domain: string;
            /**
             * @description What the domain is known for; `neutral` when it stands on no list and imitates nobody.
             * @enum {string}
             */
            status: "neutral" | "adult_content" | "phishing" | "spam" | "disposable_email" | "relay_email" | "piracy" | "malware" | "tracker" | "squat";
            /** @description Whether to keep away from it: true for all but neutral and relay_email. */
            withholdingRecommended: boolean;
            /** @description Whether it has an MX record other than the null one (RFC 7505). */
            isMxRecordAvailable: boolean;
        };
        Done: {
            status: boolean;
        };
        EmailReputation: {
            /** @description As it was sent. */
            email: string;
            /** @description Whether it names a function, such as support@, and no person. */
            role: boolean;
            domain: {
                domain: string;
                /**
                 * @description What the domain is known for; `neutral` when it stands on no list and imitates nobody.
                 * @enum {string}
                 */
                status: "neutral" | "adult_content" | "phishing" | "spam" | "disposable_email" | "relay_email" | "piracy" | "malware" | "tracker" | "squat";
                /** @description Whether to keep away from it: true for all but neutral and relay_email. */
                withholdingRecommended: boolean;
                mxRecordAvailable: boolean;
            };
            validations: {
                /** @description Whether all three validators say so. */
                valid: boolean;
                validators: {
                    regex: {
                        valid: boolean;
                    };
                    typo: {
                        valid: boolean;
                    };
                    mx: {
                        /** @description An MX record, or none but an address record (RFC 5321, 5.1). */
                        valid: boolean;
                    };
                };
            };
        };
        EmailSuggestion: {
            /** @description As it was sent. */
            email: string;
            suggestion: string | null;
        };
        EnabledTwoFactor: {
            /** @description otpauth://…, for a QR code. */
            totpURI: string;
            /** @description Recovery codes, shown this once. */
            backupCodes: string[];
        };
        EndedSessions: {
            ended: number;
        };
        EntitlementCheck: {
            /** Format: uuid */
            organizationId: string;
            product: string;
            hasAccess: boolean;
        };
        EnvVar: {
            /** Format: uuid */
            id: string;
            key: string;
            value: string | null;
            sensitive: boolean;
            /** @enum {string} */
            scope: "organization" | "application" | "environment";
            environmentId: string | null;
            environmentName: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        EnvVarComparison: {
            key: string;
            /**
             * @description `secret`: both have it and one is sensitive; such values are not compared.
             * @enum {string}
             */
            status: "same" | "different" | "only_left" | "only_right" | "secret";
            left: {
                value: string | null;
                sensitive: boolean;
                /** @enum {string} */
                source: "organization" | "application" | "environment";
            } | null;
            right: {
                value: string | null;
                sensitive: boolean;
                /** @enum {string} */
                source: "organization" | "application" | "environment";
            } | null;
        };
        EnvVarCopy: {
            created: number;
            updated: number;
            unchanged: number;
            skipped: number;
        };
        EnvVarImport: {
            created: number;
            updated: number;
            unchanged: number;
        };
        EnvVarVersion: {
            version: number;
            key: string;
            value: string | null;
            sensitive: boolean;
            actor: {
                type: string;
                id: string | null;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        Environment: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            applicationId: string;
            name: string;
            slug: string;
            /** @description The branches that it takes: names, and patterns where `*` stands for any text. */
            branches: string[];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        EnvironmentProtection: {
            /** @description Only members, and those who are let in, see its deployments. */
            enabled: boolean;
            /** @description Whoever knows the password is let in too. */
            hasPassword: boolean;
            /** @description When the token of automation was made; null: there is none. */
            bypassCreatedAt: string | null;
        };
        Error: {
            /** @description What is wrong and how to mend it. */
            error: string;
        };
        ExplicitEntitlement: {
            /** Format: uuid */
            id: string;
            product: string;
            /** @enum {string} */
            status: "ACTIVE" | "SUSPENDED" | "REVOKED";
            grantedByUserId: string | null;
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        Grant: {
            /** Format: uuid */
            id: string;
            client: components["schemas"]["AskingClient"];
            scopes: components["schemas"]["AskedScope"][];
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            expiresAt: string;
        };
        Health: {
            status: string;
        };
        Hostname: {
            /** Format: uuid */
            id: string;
            /** @description With the port where it is not the scheme's own. */
            hostname: string;
            /** @enum {string} */
            type: "DEPLOYMENT" | "BRANCH" | "APP";
            /** @description Whether a deployment answers there. */
            active: boolean;
            deploymentId: string | null;
            branchId: string | null;
            /**
             * @description `user`: a domain of your own.
             * @enum {string}
             */
            source: "system" | "user";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        ImageCache: {
            /** @description Whether the deployment serves images. */
            enabled: boolean;
            /** @description All images of the deployment are purged by it. */
            deploymentTag: string;
            sourceTag: string | null;
            policy: {
                [key: string]: unknown;
            } | null;
        };
        InstanceOverview: {
            version: string;
            node: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            startedAt: string;
            database: {
                engine: string;
                ready: boolean;
                milliseconds: number | null;
            };
            /** @description Whether the instance can send mail. */
            mail: boolean;
            memoryBytes: number;
            users: number;
            waitlist: number;
            organizations: number;
            apiKeys: number;
        };
        InstanceSettings: {
            /** @description Only people taken off the waitlist create organizations. */
            earlyAccess: boolean;
            organizationQuota: number;
            organizationsPerMinute: number;
            paymentRequired: boolean;
            organizationsWithoutPayment: number;
        };
        InstanceUsage: {
            /** @enum {string} */
            range: "24h" | "7d" | "30d";
            /**
             * Format: date-time
             * @description When the first point begins.
             */
            from: string;
            /** @description What a point spans. */
            pointSeconds: number;
            /** @description Sums a point, oldest first. The last point is not over yet. */
            counters: {
                requests: number[];
                clientErrors: number[];
                serverErrors: number[];
                tokensIssued: number[];
                cacheHits: number[];
                cacheMisses: number[];
            };
            totals: {
                requests: number;
                clientErrors: number;
                serverErrors: number;
                tokensIssued: number;
                cacheHits: number;
                cacheMisses: number;
            };
            /** @description Totals of as long a time before. */
            previous: {
                requests: number;
                clientErrors: number;
                serverErrors: number;
                tokensIssued: number;
                cacheHits: number;
                cacheMisses: number;
            };
            /** @description Averages a point over all nodes; null where nothing was measured. */
            gauges: {
                memoryBytes: (number | null)[];
                eventLoopMilliseconds: (number | null)[];
                databaseMilliseconds: (number | null)[];
            };
        };
        Introspection: {
            active: boolean;
            scope?: string;
            client_id?: string;
            token_type?: string;
            exp?: number;
            iat?: number;
            sub?: string;
            aud?: string;
            iss?: string;
            jti?: string;
            actor_type?: string;
            organization_id?: string;
            application_id?: string;
            environment_id?: string;
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organizationId: string;
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "OWNER" | "ADMIN" | "MEMBER";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        JwkSet: {
            keys: {
                [key: string]: unknown;
            }[];
        };
        LabelAvailability: {
            available: boolean;
            /** @description Why it is not. */
            reason?: string;
        };
        LogDrain: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            applicationId: string;
            name: string;
            /**
             * @description `ndjson` posts a request a line as JSON; `otlp` posts OpenTelemetry log records as JSON.
             * @enum {string}
             */
            type: "ndjson" | "otlp";
            /** @description Without its query. */
            url: string;
            headerNames: string[];
            enabled: boolean;
            /** @enum {string} */
            status: "waiting" | "delivering" | "failing" | "disabled";
            lastError: string | null;
            lastDeliveredAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        LogDrainTest: {
            ok: boolean;
            status: number | null;
            latencyMs: number;
            error: string | null;
        };
        MadeKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Null: a key of the person. */
            organization: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            application: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            scopes: string[];
            expiresAt: string | null;
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        Member: {
            /** Format: uuid */
            membershipId: string;
            /** Format: uuid */
            organizationId: string;
            /** Format: uuid */
            userId: string;
            /** Format: email */
            email: string;
            givenName: string | null;
            familyName: string | null;
            imageUrl: string | null;
            /** @enum {string} */
            role: "OWNER" | "ADMIN" | "MEMBER";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            joinedAt: string;
        };
        OAuthClient: {
            /**
             * Format: uuid
             * @description The client_id.
             */
            id: string;
            /** @description What people see who asks them. */
            name: string;
            redirectUris: string[];
            /** @description What it may ask people for. */
            scopes: string[];
            /** @description Whether it has a secret. */
            confidential: boolean;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        OAuthError: {
            error: string;
            error_description: string;
        };
        OpenInvitation: {
            organization: {
                /** Format: uuid */
                id: string;
                name: string;
                /** Format: uri */
                imageUrl: string;
            };
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "OWNER" | "ADMIN" | "MEMBER";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            expiresAt: string;
        };
        Organization: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            /** Format: uri */
            imageUrl: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        Passkey: {
            id: string;
            name?: string | null;
            deviceType: string;
            backedUp: boolean;
            aaguid?: string | null;
            createdAt: string;
        };
        PasswordResetLink: {
            /** @description Hand it to the person; it works once. */
            url: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            expiresAt: string;
        };
        PasswordStrength: {
            /** @description 0 (guessed at once) to 4. */
            score: number;
            /** @description Whether it would be taken, unless it is known from a breach. */
            acceptable: boolean;
            warning: string | null;
            suggestions: string[];
        };
        PeopleDiscovery: {
            [key: string]: unknown;
        };
        Permissions: {
            /** @enum {string} */
            role: "OWNER" | "ADMIN" | "MEMBER";
            /** @description The `operationId`s of this description that the caller may use in the organization. */
            operations: string[];
            /** @description The same for what belongs to an application of the organization, such as its API keys. */
            applicationOperations: string[];
            /** @description Products that the organization has access to. */
            products: string[];
        };
        Person: {
            /** Format: uuid */
            id: string;
            email: string;
            emailVerified: boolean;
            name: string;
            givenName: string | null;
            familyName: string | null;
            imageUrl: string | null;
            /** @description Runs this instance. */
            operator: boolean;
            /** @description Not on the waitlist of early access. */
            admitted: boolean;
            hasPassword: boolean;
            /** @description Linked with the outside provider. */
            hasProvider: boolean;
            twoFactorEnabled: boolean;
            /** @description How many. */
            passkeys: number;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
        };
        PersonToken: {
            /** @enum {string} */
            token_type: "Bearer";
            /** @description A JWT (RFC 9068); the API believes it. */
            access_token: string;
            /** @description Lifetime in seconds. */
            expires_in: number;
            /** @description The granted scopes, separated by spaces. */
            scope: string;
            /** @description With `offline_access`. It works once: keep the one that its use returns. */
            refresh_token?: string;
            /** @description With `openid`, for a code or a device code. */
            id_token?: string;
        };
        Product: {
            slug: string;
            displayName: string;
            /** @enum {string} */
            accessMode: "organization" | "user";
            /**
             * @description Applies when no explicit override exists.
             * @enum {string}
             */
            defaultAccessPolicy: "granted" | "explicit_entitlement_required";
            plans: {
                slug: string;
                displayName: string;
                description: string;
            }[];
        };
        ProductAccess: {
            product: components["schemas"]["Product"];
            /** @description Effective access. */
            hasAccess: boolean;
            /**
             * @description Whether an explicit override decided, or the default policy of the product.
             * @enum {string}
             */
            resolutionSource: "explicit" | "default";
            explicitEntitlement: components["schemas"]["ExplicitEntitlement"] | null;
            subscription: components["schemas"]["Subscription"] | null;
        };
        ProviderRedirect: {
            /** @description Send the browser there. */
            url: string;
        };
        PulledEnvVars: {
            items: {
                key: string;
                value: string;
                /** @enum {string} */
                source: "organization" | "application" | "environment";
            }[];
            total: number;
            /** @description How many are left out because they are sensitive. */
            omittedSensitive: number;
        };
        PurgedCount: {
            purgedCount: number;
        };
        RecoveryCodes: {
            backupCodes: string[];
        };
        ReputationFeed: {
            id: string;
            /**
             * @description What the domain is known for; `neutral` when it stands on no list and imitates nobody.
             * @enum {string}
             */
            status: "neutral" | "adult_content" | "phishing" | "spam" | "disposable_email" | "relay_email" | "piracy" | "malware" | "tracker" | "squat";
            /** @enum {string} */
            format: "plain" | "hosts" | "wildcard" | "adblock" | "json" | "module";
            source: {
                /**
                 * @description Packages and files come with the program.
                 * @enum {string}
                 */
                type: "package" | "file" | "url";
                /** @description The package, the name of the file, or the URL. */
                name: string;
            };
            licence: string;
            homepage: string | null;
            refreshSeconds: number | null;
            /** @description How many are in use. */
            names: number;
            /** @description Entries of the list that were not taken. */
            refused: {
                malformed: number;
                /** @description Whole public suffixes. */
                suffix: number;
                /** @description Names of private networks. */
                private: number;
                /** @description Names of well-known owners. */
                genuine: number;
            };
            checkedAt: string | null;
            fetchedAt: string | null;
            changedAt: string | null;
            error: string | null;
        };
        ReputationOverride: {
            /** Format: uuid */
            id: string;
            /** @description It holds for this domain and everything below it. */
            domain: string;
            /** @enum {string} */
            action: "block" | "allow";
            /**
             * @description What the domain is known for; `neutral` when it stands on no list and imitates nobody.
             * @enum {string}
             */
            status: "neutral" | "adult_content" | "phishing" | "spam" | "disposable_email" | "relay_email" | "piracy" | "malware" | "tracker" | "squat";
            note: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        RequestLog: {
            /** Format: uuid */
            id: string;
            application: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            deployment: {
                /** Format: uuid */
                id: string;
                status: string;
            } | null;
            deploymentFunction: {
                /** Format: uuid */
                id: string;
                name: string | null;
                path: string;
                region: string | null;
            } | null;
            deploymentAsset: {
                /** Format: uuid */
                id: string;
                path: string;
                objectKey: string;
            } | null;
            storageBucket: {
                /** Format: uuid */
                id: string;
                name: string;
                slug: string;
            } | null;
            storageObject: {
                /** Format: uuid */
                id: string;
                key: string;
                contentType: string | null;
            } | null;
            request: {
                method: string;
                hostname: string;
                path: string;
                query: string | null;
                protocol: string | null;
                country: string | null;
                userAgent: string | null;
                referer: string | null;
            };
            response: {
                status: number | null;
                cacheStatus: ("hit" | "miss" | "bypass" | "revalidated" | "stale" | "updating") | null;
                cacheHit: boolean | null;
                region: string | null;
                edgeLocation: string | null;
            };
            metrics: {
                requestBodyBytes: number | null;
                responseBodyBytes: number | null;
                bytesSent: number | null;
                durationMs: number | null;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            startedAt: string;
            completedAt: string | null;
            /** @description Whether the client is a program that fetches by itself. */
            bot: boolean;
            error: string | null;
            /** @description Whether something was too long to be kept whole. */
            truncated: boolean;
            /** @description How many requests this one stands for, where not all are kept. */
            sampleWeight: number;
        };
        RequestLogDetail: {
            /** Format: uuid */
            id: string;
            application: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            deployment: {
                /** Format: uuid */
                id: string;
                status: string;
            } | null;
            deploymentFunction: {
                /** Format: uuid */
                id: string;
                name: string | null;
                path: string;
                region: string | null;
            } | null;
            deploymentAsset: {
                /** Format: uuid */
                id: string;
                path: string;
                objectKey: string;
            } | null;
            storageBucket: {
                /** Format: uuid */
                id: string;
                name: string;
                slug: string;
            } | null;
            storageObject: {
                /** Format: uuid */
                id: string;
                key: string;
                contentType: string | null;
            } | null;
            request: {
                method: string;
                hostname: string;
                path: string;
                query: string | null;
                protocol: string | null;
                country: string | null;
                userAgent: string | null;
                referer: string | null;
            };
            response: {
                status: number | null;
                cacheStatus: ("hit" | "miss" | "bypass" | "revalidated" | "stale" | "updating") | null;
                cacheHit: boolean | null;
                region: string | null;
                edgeLocation: string | null;
            };
            metrics: {
                requestBodyBytes: number | null;
                responseBodyBytes: number | null;
                bytesSent: number | null;
                durationMs: number | null;
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            startedAt: string;
            completedAt: string | null;
            /** @description Whether the client is a program that fetches by itself. */
            bot: boolean;
            error: string | null;
            /** @description Whether something was too long to be kept whole. */
            truncated: boolean;
            /** @description How many requests this one stands for, where not all are kept. */
            sampleWeight: number;
            /** @description Secrets are masked. */
            requestHeaders: {
                [key: string]: string;
            };
            /** @description Secrets are masked. */
            responseHeaders: {
                [key: string]: string;
            };
            clientAddress: string | null;
            clientSubdivision: string | null;
        };
        RequestStats: {
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            from: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            to: string;
            intervalSeconds: number;
            total: {
                requests: number;
                /** @description By the first digit of the status; `none` ended without an answer. */
                families: {
                    "1xx": number;
                    "2xx": number;
                    "3xx": number;
                    "4xx": number;
                    "5xx": number;
                    none: number;
                };
                bytes: number;
                cacheHits: number;
                /** @description Requests that could not be logged; told only without filters. */
                dropped: number;
                p50: number | null;
                p95: number | null;
                p99: number | null;
                mean: number | null;
            };
            series: {
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC, milliseconds.
                 */
                at: string;
                requests: number;
                /** @description By the first digit of the status; `none` ended without an answer. */
                families: {
                    "1xx": number;
                    "2xx": number;
                    "3xx": number;
                    "4xx": number;
                    "5xx": number;
                    none: number;
                };
                bytes: number;
                cacheHits: number;
                /** @description Requests that could not be logged; told only without filters. */
                dropped: number;
                p50: number | null;
                p95: number | null;
                p99: number | null;
                mean: number | null;
            }[];
            /** @description Commonest values of the range; `errors` are answers of 5xx. */
            top: {
                paths: {
                    value: string | null;
                    requests: number;
                    errors: number;
                    bytes: number;
                }[];
                hostnames: {
                    value: string | null;
                    requests: number;
                    errors: number;
                    bytes: number;
                }[];
                countries: {
                    value: string | null;
                    requests: number;
                    errors: number;
                    bytes: number;
                }[];
                referrers: {
                    value: string | null;
                    requests: number;
                    errors: number;
                    bytes: number;
                }[];
                agents: {
                    value: string | null;
                    requests: number;
                    errors: number;
                    bytes: number;
                }[];
            };
            /** @description False: the lists tell of the newest part of a range that holds too much. */
            topComplete: boolean;
        };
        ResolvedEnvVars: {
            items: {
                key: string;
                value: string | null;
                /** @enum {string} */
                source: "organization" | "application" | "environment";
                sensitive: boolean;
            }[];
            total: number;
            /** @description How many values are left out. */
            omittedSensitive: number;
        };
        RouteVerdict: {
            /** @enum {string} */
            kind: "file" | "function" | "proxy" | "redirect" | "missing" | "bad_request";
            /** @description Place of the rule that decided; null: none did. */
            route: number | null;
            /** @description The file, the function, or the address. */
            target: string | null;
            /** @description The status that is set; null: that of what is served. */
            status: number | null;
            headers: {
                [key: string]: string;
            };
            /** @description The rules that were looked at, with why each did or did not decide. */
            steps: {
                route: number;
                source: string;
                result: string;
            }[];
        };
        RuntimeCacheEntry: {
            /** @description As it was stored: JSON, with bytes and maps wrapped. */
            value: unknown;
            tags?: string[];
        };
        ScopeInfo: {
            scope: string;
            /** @description What it is about, such as `Key-value cache`. */
            area: string;
            /** @description What it allows. */
            text: string;
            /** @description Whose keys can hold it. */
            actors: ("user" | "organization" | "application")[];
            /** @description Who can use it. Keys of an organization hold some scopes only to hand them on to its applications. */
            usableBy: ("user" | "organization" | "application" | "deployment" | "function")[];
            /** @description It changes nothing: a key without `scopes` gets those. */
            readOnly: boolean;
            product: string | null;
        };
        SetupState: {
            usable: boolean;
        };
        SignInAnswer: {
            /** @description True: not signed in yet, ask for the second factor. */
            twoFactorRedirect?: boolean;
            twoFactorMethods?: string[];
            user?: unknown;
        };
        SignInOptions: {
            /** @enum {string} */
            signUp: "open" | "invited" | "closed";
            /** @description Whether letters are sent: addresses are confirmed, passwords reset by mail. */
            mail: boolean;
            provider: {
                /** @description For the button: "Sign in with …". */
                name: string;
            } | null;
            /** @description No operator exists yet: the link of the first start is awaited. */
            setup: boolean;
            password: {
                minLength: number;
                maxLength: number;
            };
        };
        SignedUp: {
            status: boolean;
            /**
             * @description `mail`: a link was sent to the address. `none`: sign in now.
             * @enum {string}
             */
            verification: "mail" | "none";
        };
        StorageAccessUrl: {
            /** @enum {string} */
            accessType: "public" | "signed";
            url: string;
            expiresAt: string | null;
        };
        StorageBucket: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            applicationId: string;
            name: string;
            /** @description The name over S3 and in addresses; unique in the instance. */
            slug: string;
            /** @enum {string} */
            visibility: "public" | "private";
            /** @description Host that serves the objects of a public bucket. */
            cdnHostname: string;
            /** Format: uuid */
            environmentId: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        StorageBucketSettings: {
            /** @enum {string} */
            visibility: "public" | "private";
            /** @enum {string} */
            versioning: "off" | "enabled" | "suspended";
            quotaBytes: number | null;
            quotaObjects: number | null;
            cacheControl: string | null;
            cors: components["schemas"]["StorageCorsRule"][];
            lifecycle: components["schemas"]["StorageLifecycleRule"][];
            webhookUrl: string | null;
            usage: {
                objects: number;
                bytes: number;
                oldVersions: number;
                oldVersionBytes: number;
                trashedObjects: number;
                trashedBytes: number;
                openUploads: number;
            };
            effectiveQuota: {
                bytes: number;
                objects: number;
            };
        };
        StorageCorsRule: {
            allowedOrigins: string[];
            allowedMethods: ("GET" | "HEAD" | "PUT" | "POST" | "DELETE")[];
            allowedHeaders?: string[];
            exposeHeaders?: string[];
            maxAgeSeconds?: number;
        };
        StorageLifecycleRule: {
            id?: string;
            /** @default true */
            enabled?: boolean;
            prefix?: string;
            expireAfterDays?: number;
            expireOldVersionsAfterDays?: number;
            keepOldVersions?: number;
            abortUploadsAfterDays?: number;
        };
        StorageObject: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            bucketId: string;
            /** Format: uuid */
            applicationId: string;
            uploadSessionId: string | null;
            key: string;
            contentType: string | null;
            contentLength: number;
            checksumSha1: string | null;
            checksumSha256: string | null;
            checksumMd5: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            uploadedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        StorageObjectProperties: {
            /** Format: uuid */
            id: string;
            key: string;
            /** @description Without quotes. */
            etag: string;
            contentType: string | null;
            cacheControl: string | null;
            contentDisposition: string | null;
            contentEncoding: string | null;
            contentLanguage: string | null;
            metadata: {
                [key: string]: string;
            };
            tags: {
                [key: string]: string;
            };
        };
        StorageObjectVersion: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            bucketId: string;
            /** Format: uuid */
            applicationId: string;
            uploadSessionId: string | null;
            key: string;
            contentType: string | null;
            contentLength: number;
            checksumSha1: string | null;
            checksumSha256: string | null;
            checksumMd5: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            uploadedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
            /** @description What the key holds now, or the delete marker that hides it. */
            isCurrent: boolean;
            /** @description Says that the key was deleted then; it has no content. */
            isDeleteMarker: boolean;
        };
        StorageUploadSession: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            bucketId: string;
            /** Format: uuid */
            applicationId: string;
            key: string;
            contentType: string | null;
            contentLength: number | null;
            checksumSha1: string | null;
            checksumSha256: string | null;
            checksumMd5: string | null;
            /** @enum {string} */
            state: "pending" | "ready" | "completed" | "failed" | "expired";
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            expiresAt: string;
            uploadedAt: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        StorageUsage: {
            items: {
                day: string;
                bytes: number;
                objects: number;
                requests: number;
                bytesIn: number;
                bytesOut: number;
            }[];
            total: number;
        };
        StorageWebhookSecret: {
            /** @description Shown once. Signs every request to the webhook. */
            secret: string;
        };
        Subscription: {
            /** Format: uuid */
            id: string;
            product: string;
            plan: string;
            /** @enum {string} */
            status: "ACTIVE" | "CANCELED";
            activatedByUserId: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
        };
        Token: {
            /** @enum {string} */
            token_type: "Bearer";
            /** @description A JWT (RFC 9068). */
            access_token: string;
            /** @description Lifetime in seconds. */
            expires_in: number;
            /** @description The granted scopes, separated by spaces. */
            scope: string;
        };
        TotpUri: {
            totpURI: string;
        };
        TrashedStorageObject: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            bucketId: string;
            /** Format: uuid */
            applicationId: string;
            uploadSessionId: string | null;
            key: string;
            contentType: string | null;
            contentLength: number;
            checksumSha1: string | null;
            checksumSha256: string | null;
            checksumMd5: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            uploadedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            deletedAt: string;
        };
        Usage: {
            /** @enum {string} */
            range: "24h" | "7d" | "30d";
            /**
             * Format: date-time
             * @description When the first point begins.
             */
            from: string;
            /** @description What a point spans. */
            pointSeconds: number;
            /** @description Sums a point, oldest first. The last point is not over yet. */
            counters: {
                requests: number[];
                clientErrors: number[];
                serverErrors: number[];
                tokensIssued: number[];
                cacheHits: number[];
                cacheMisses: number[];
            };
            totals: {
                requests: number;
                clientErrors: number;
                serverErrors: number;
                tokensIssued: number;
                cacheHits: number;
                cacheMisses: number;
            };
            /** @description Totals of as long a time before. */
            previous: {
                requests: number;
                clientErrors: number;
                serverErrors: number;
                tokensIssued: number;
                cacheHits: number;
                cacheMisses: number;
            };
        };
        UserInfo: {
            sub: string;
            name?: string;
            given_name?: string;
            family_name?: string;
            picture?: string;
            updated_at?: number;
            email?: string;
            email_verified?: boolean;
        };
        WaitingDevice: {
            client: components["schemas"]["AskingClient"];
            scopes: components["schemas"]["AskedScope"][];
            account: {
                /** Format: uuid */
                id: string;
                email: string;
                name: string;
            } | null;
            /** @description Of the device, as this server saw it. */
            address: string;
            userAgent: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            requestedAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC, milliseconds.
             */
            expiresAt: string;
        };
        WhoisContact: {
            name: string | null;
            organization: string | null;
            street: string | null;
            city: string | null;
            state: string | null;
            postalCode: string | null;
            country: string | null;
            phone: string | null;
            phoneExt: string | null;
            fax: string | null;
            faxExt: string | null;
            email: string | null;
        };
        WhoisRecord: {
            domain: {
                name: string | null;
                id: string | null;
                /** @description As the registry says them. */
                status: string[];
                created: string | null;
                updated: string | null;
                expires: string | null;
            };
            registrar: {
                name: string | null;
                url: string | null;
                whoisServer: string | null;
                email: string | null;
                phone: string | null;
                ianaId: string | null;
            };
            registrant: components["schemas"]["WhoisContact"];
            admin: components["schemas"]["WhoisContact"];
            tech: components["schemas"]["WhoisContact"];
            billing: components["schemas"]["WhoisContact"];
            nameservers: string[];
            dnssec: string | null;
        };
    };
    responses: {
        /** @description The request is not what this operation accepts. */
        Error400: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The request is not what this operation accepts."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The bearer token is missing, expired, revoked or not ours. */
        Error401: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The bearer token is missing, expired, revoked or not ours."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A budget is used up. */
        Error402: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "A budget is used up."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token may not do this. */
        Error403: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The token may not do this."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing with this id is visible to this token. */
        Error404: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Nothing with this id is visible to this token."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description None of the media types that the client accepts is made here. */
        Error406: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "None of the media types that the client accepts is made here."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It contradicts what is there already. */
        Error409: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "It contradicts what is there already."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It is over. */
        Error410: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "It is over."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The precondition of the request does not hold. */
        Error412: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The precondition of the request does not hold."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than this operation accepts. */
        Error413: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The body is larger than this operation accepts."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body has a content type that this operation does not accept. */
        Error415: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The body has a content type that this operation does not accept."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The Idempotency-Key was used for another request. */
        Error422: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The Idempotency-Key was used for another request."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests; Retry-After says when to try again. */
        Error429: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Too many requests; Retry-After says when to try again."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A failure of the server. */
        Error500: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "A failure of the server."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something beyond this instance failed. */
        Error502: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Something beyond this instance failed."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something that the server depends on is away; Retry-After says when to try again. */
        Error503: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Something that the server depends on is away; Retry-After says when to try again."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something beyond this instance did not answer in time. */
        Error504: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Something beyond this instance did not answer in time."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The storage is full. */
        Error507: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "The storage is full."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names the request in every log; tell it when you ask for help. */
        RequestId: string;
        /** @description Seconds after which to try again. */
        RetryAfter: number;
        /** @description What was wrong with the token (RFC 6750). */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSigningKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "x": "5LqO_vR73BWYiajyWxSShOPt3baTZM3TGshoZlElL-0",
                     *           "y": "41c_x8JPBEUaxKhTtgc3hsUGtuCUYpuO-49JAcDpuVk",
                     *           "kid": "qu9v-fbJ4xLNSTgu1fbdit-xhUsADl82dpA12a4zkAo",
                     *           "use": "sig",
                     *           "alg": "ES256"
                     *         },
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "x": "2osg5AkgvOpWF1CTiqmr1DGYjocqSVPiDlv96mzEYNc",
                     *           "y": "kJx2M07bI7F4LasA64upu2moHndEtCSovBnylGtpAAU",
                     *           "kid": "7jVaAoagSbElfBjkaJaU2dzMMmSZkwNEWG5XRn7A5Vs",
                     *           "use": "sig",
                     *           "alg": "ES256"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["JwkSet"];
                };
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "text",
                     *       "token_endpoint": "text",
                     *       "introspection_endpoint": "text",
                     *       "revocation_endpoint": "text",
                     *       "jwks_uri": "text",
                     *       "scopes_supported": [
                     *         "text"
                     *       ],
                     *       "response_types_supported": [
                     *         "text"
                     *       ],
                     *       "grant_types_supported": [
                     *         "text"
                     *       ],
                     *       "subject_types_supported": [
                     *         "text"
                     *       ],
                     *       "id_token_signing_alg_values_supported": [
                     *         "text"
                     *       ],
                     *       "token_endpoint_auth_methods_supported": [
                     *         "text"
                     *       ],
                     *       "introspection_endpoint_auth_methods_supported": [
                     *         "text"
                     *       ],
                     *       "revocation_endpoint_auth_methods_supported": [
                     *         "text"
                     *       ],
                     *       "service_documentation": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Discovery"];
                };
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPeopleAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": components["schemas"]["PeopleDiscovery"];
                };
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getOpenIdConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "text",
                     *       "token_endpoint": "text",
                     *       "introspection_endpoint": "text",
                     *       "revocation_endpoint": "text",
                     *       "jwks_uri": "text",
                     *       "scopes_supported": [
                     *         "text"
                     *       ],
                     *       "response_types_supported": [
                     *         "text"
                     *       ],
                     *       "grant_types_supported": [
                     *         "text"
                     *       ],
                     *       "subject_types_supported": [
                     *         "text"
                     *       ],
                     *       "id_token_signing_alg_values_supported": [
                     *         "text"
                     *       ],
                     *       "token_endpoint_auth_methods_supported": [
                     *         "text"
                     *       ],
                     *       "introspection_endpoint_auth_methods_supported": [
                     *         "text"
                     *       ],
                     *       "revocation_endpoint_auth_methods_supported": [
                     *         "text"
                     *       ],
                     *       "service_documentation": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Discovery"];
                };
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAiCatalogueModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production",
                     *           "source": "bundled",
                     *           "prices": {
                     *             "input": 1,
                     *             "output": 1,
                     *             "cachedInput": 1,
                     *             "cacheWrite": 1,
                     *             "perRequest": 1,
                     *             "perImage": 1,
                     *             "perSecond": 1,
                     *             "source": "text"
                     *           },
                     *           "capabilities": {
                     *             "chat": false,
                     *             "streaming": false,
                     *             "tools": false,
                     *             "vision": false,
                     *             "json_mode": false
                     *           },
                     *           "contextWindow": 1,
                     *           "maxOutputTokens": 1,
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AiCatalogueModel"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setAiCatalogueModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description With its slash percent-encoded. */
                modelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prices": {
                 *         "input": 0,
                 *         "output": 0,
                 *         "cachedInput": 0,
                 *         "cacheWrite": 0,
                 *         "perRequest": 0,
                 *         "perImage": 0,
                 *         "perSecond": 0
                 *       },
                 *       "capabilities": {
                 *         "chat": false,
                 *         "streaming": false,
                 *         "tools": false,
                 *         "vision": false,
                 *         "json_mode": false
                 *       },
                 *       "contextWindow": 1,
                 *       "maxOutputTokens": 1
                 *     }
                 */
                "application/json": {
                    /** @description Unit prices, or `free`. Without them the bundled prices hold. */
                    prices?: {
                        /** @description Micro-dollars per million input tokens. */
                        input?: number;
                        /** @description Micro-dollars per million output tokens. */
                        output?: number;
                        /** @description Micro-dollars per million input tokens read from a prompt cache. */
                        cachedInput?: number;
                        /** @description Micro-dollars per million input tokens written to a prompt cache. */
                        cacheWrite?: number;
                        /** @description Micro-dollars a request. */
                        perRequest?: number;
                        /** @description Micro-dollars an image. */
                        perImage?: number;
                        /** @description Micro-dollars a second of audio or video. */
                        perSecond?: number;
                    } | "free";
                    capabilities?: {
                        chat?: boolean;
                        streaming?: boolean;
                        tools?: boolean;
                        vision?: boolean;
                        json_mode?: boolean;
                    };
                    contextWindow?: number;
                    maxOutputTokens?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "name": "Production",
                     *       "source": "bundled",
                     *       "prices": {
                     *         "input": 1,
                     *         "output": 1,
                     *         "cachedInput": 1,
                     *         "cacheWrite": 1,
                     *         "perRequest": 1,
                     *         "perImage": 1,
                     *         "perSecond": 1,
                     *         "source": "text"
                     *       },
                     *       "capabilities": {
                     *         "chat": false,
                     *         "streaming": false,
                     *         "tools": false,
                     *         "vision": false,
                     *         "json_mode": false
                     *       },
                     *       "contextWindow": 1,
                     *       "maxOutputTokens": 1,
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AiCatalogueModel"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resetAiCatalogueModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description With its slash percent-encoded. */
                modelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listInstanceAiProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "slug": "production",
                     *           "type": "openai",
                     *           "name": "Production",
                     *           "baseUrl": "text",
                     *           "zdr": false,
                     *           "priority": 1,
                     *           "enabled": false,
                     *           "allowPrivate": false,
                     *           "models": [
                     *             "text"
                     *           ],
                     *           "credentials": [
                     *             {
                     *               "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *               "name": "Production",
                     *               "hint": "text",
                     *               "weight": 1,
                     *               "enabled": false
                     *             }
                     *           ],
                     *           "readOnly": false,
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AiProvider"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createInstanceAiProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slug": "production",
                 *       "type": "openai",
                 *       "name": "Production",
                 *       "baseUrl": "text",
                 *       "zdr": false,
                 *       "priority": -1000,
                 *       "enabled": false,
                 *       "models": [
                 *         "text"
                 *       ],
                 *       "credentials": [
                 *         {
                 *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *           "name": "Production",
                 *           "apiKey": "text",
                 *           "weight": 1,
                 *           "enabled": false
                 *         }
                 *       ],
                 *       "allowPrivate": false
                 *     }
                 */
                "application/json": {
                    /** @description Its name in model ids: `<slug>/<upstream id>`. */
                    slug: string;
                    /**
                     * @description How it is spoken to.
                     * @enum {string}
                     */
                    type: "openai" | "openai-compatible" | "azure" | "anthropic" | "gemini";
                    name?: string;
                    baseUrl?: string | null;
                    /** @description Zero data retention was agreed with it. */
                    zdr?: boolean;
                    /** @description Higher ones are tried first, default 0. */
                    priority?: number;
                    enabled?: boolean;
                    models?: string[] | null;
                    /** @description The whole set. One with an `id` keeps its key unless `apiKey` is sent. */
                    credentials?: {
                        /** Format: uuid */
                        id?: string;
                        name?: string;
                        /** @description Write-only. */
                        apiKey?: string;
                        /** @description Its share of the requests, default 1. */
                        weight?: number;
                        enabled?: boolean;
                    }[];
                    /** @description Whether its address may be a private one. Operators only. */
                    allowPrivate?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "slug": "production",
                     *       "type": "openai",
                     *       "name": "Production",
                     *       "baseUrl": "text",
                     *       "zdr": false,
                     *       "priority": 1,
                     *       "enabled": false,
                     *       "allowPrivate": false,
                     *       "models": [
                     *         "text"
                     *       ],
                     *       "credentials": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production",
                     *           "hint": "text",
                     *           "weight": 1,
                     *           "enabled": false
                     *         }
                     *       ],
                     *       "readOnly": false,
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AiProvider"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteInstanceAiProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the provider. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateInstanceAiProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the provider. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Production",
                 *       "baseUrl": "text",
                 *       "zdr": false,
                 *       "priority": -1000,
                 *       "enabled": false,
                 *       "models": [
                 *         "text"
                 *       ],
                 *       "credentials": [
                 *         {
                 *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *           "name": "Production",
                 *           "apiKey": "text",
                 *           "weight": 1,
                 *           "enabled": false
                 *         }
                 *       ],
                 *       "allowPrivate": false
                 *     }
                 */
                "application/json": {
                    name?: string;
                    baseUrl?: string | null;
                    /** @description Zero data retention was agreed with it. */
                    zdr?: boolean;
                    /** @description Higher ones are tried first, default 0. */
                    priority?: number;
                    enabled?: boolean;
                    models?: string[] | null;
                    /** @description The whole set. One with an `id` keeps its key unless `apiKey` is sent. */
                    credentials?: {
                        /** Format: uuid */
                        id?: string;
                        name?: string;
                        /** @description Write-only. */
                        apiKey?: string;
                        /** @description Its share of the requests, default 1. */
                        weight?: number;
                        enabled?: boolean;
                    }[];
                    /** @description Whether its address may be a private one. Operators only. */
                    allowPrivate?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "slug": "production",
                     *       "type": "openai",
                     *       "name": "Production",
                     *       "baseUrl": "text",
                     *       "zdr": false,
                     *       "priority": 1,
                     *       "enabled": false,
                     *       "allowPrivate": false,
                     *       "models": [
                     *         "text"
                     *       ],
                     *       "credentials": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production",
                     *           "hint": "text",
                     *           "weight": 1,
                     *           "enabled": false
                     *         }
                     *       ],
                     *       "readOnly": false,
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AiProvider"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testInstanceAiProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the provider. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": false,
                     *       "latencyMs": 1,
                     *       "models": [
                     *         "text"
                     *       ],
                     *       "error": "Nothing with this id is visible to this token."
                     *     }
                     */
                    "application/json": components["schemas"]["AiProviderTest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listWholeAuditLog: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only what this actor did. */
                actorId?: string;
                /** @description An action, or the beginning of some and an asterisk: `api_key.*`. */
                action?: string;
                /** @description Only changes of this kind of thing, such as `api_key`. */
                targetType?: string;
                /** @description Only changes of the thing with this id. */
                targetId?: string;
                /** @description Not before this moment. */
                from?: string;
                /** @description Before this moment. */
                to?: string;
                /** @description Id of the organization. */
                organizationId?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c6-5165-71dd-a196-05db9915249c",
                     *           "organizationId": null,
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "01a200c6-4e7b-750b-b9ae-5f5c2996fd6c"
                     *           },
                     *           "action": "user.profile_changed",
                     *           "target": {
                     *             "type": "user",
                     *             "id": "01a200c6-4e7b-750b-b9ae-5f5c2996fd6c"
                     *           },
                     *           "requestId": "lzcwpaRdcGJ3-1c",
                     *           "details": {
                     *             "name": "Another Name"
                     *           },
                     *           "createdAt": "2026-11-22T01:02:06.693Z"
                     *         },
                     *         {
                     *           "id": "01a200c6-5084-75c7-9e11-f4b48619aac9",
                     *           "organizationId": null,
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "01a200c6-4e7b-750b-b9ae-5f5c2996fd6c"
                     *           },
                     *           "action": "session.created",
                     *           "target": {
                     *             "type": "session",
                     *             "id": "01a200c6-5083-744a-bac1-c086e18b37d4"
                     *           },
                     *           "requestId": "lzcwpaRdcGJ3-1b",
                     *           "details": {},
                     *           "createdAt": "2026-11-22T01:02:06.468Z"
                     *         }
                     *       ],
                     *       "total": 3
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AuditRecord"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getInstanceAuditLogFacets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the latest 10,000 records can be filtered by. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "actions": [
                     *         "text"
                     *       ],
                     *       "targetTypes": [
                     *         "text"
                     *       ],
                     *       "actors": [
                     *         {
                     *           "type": "text",
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditFacets"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listOAuthClients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production",
                     *           "redirectUris": [
                     *             "text"
                     *           ],
                     *           "scopes": [
                     *             "text"
                     *           ],
                     *           "confidential": false,
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["OAuthClient"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createOAuthClient: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "x",
                 *       "redirectUris": [],
                 *       "scopes": [
                 *         "openid"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name: string;
                    /** @description Compared to the letter. https, or http on loopback (any port), or a scheme of its own such as com.example.app:/callback. */
                    redirectUris?: string[];
                    scopes: ("profile" | "email" | "offline_access" | "openid" | "platform:organizations:read" | "platform:organizations:write" | "platform:api_keys:read" | "platform:api_keys:write" | "platform:api_keys:delete" | "network:applications:read" | "network:applications:write" | "network:env_vars:read" | "network:env_vars:write" | "network:env_vars:delete" | "network:deployments:read" | "network:deployments:write" | "network:deployments:trigger" | "network:storage:read" | "network:storage:write" | "network:storage:delete" | "network:requests:read" | "network:ai_gateway:chat" | "network:ai_gateway:models" | "network:ai_gateway:usage:read" | "network:ai_gateway:budgets:read" | "network:ai_gateway:budgets:write" | "network:ai_gateway:policies:read" | "network:ai_gateway:policies:write" | "fastcache:read" | "fastcache:write" | "fastcache:delete" | "web-reputation:domain:get" | "web-reputation:email:get" | "whois:domain:get")[];
                    /** @description True (default) for programs on a server of their own, which can keep a secret. */
                    confidential?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-d109-75b2-b4e1-f1bda015668a",
                     *       "name": "x",
                     *       "redirectUris": [],
                     *       "scopes": [
                     *         "openid"
                     *       ],
                     *       "confidential": true,
                     *       "createdAt": "2026-11-22T01:01:33.833Z",
                     *       "updatedAt": "2026-11-22T01:01:33.833Z",
                     *       "secret": "mcs_..."
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedOAuthClient"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateOAuthClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the client. */
                clientId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Production",
                 *       "redirectUris": [
                 *         "text"
                 *       ],
                 *       "scopes": [
                 *         "profile"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name?: string;
                    /** @description Compared to the letter. https, or http on loopback (any port), or a scheme of its own such as com.example.app:/callback. */
                    redirectUris?: string[];
                    scopes?: ("profile" | "email" | "offline_access" | "openid" | "platform:organizations:read" | "platform:organizations:write" | "platform:api_keys:read" | "platform:api_keys:write" | "platform:api_keys:delete" | "network:applications:read" | "network:applications:write" | "network:env_vars:read" | "network:env_vars:write" | "network:env_vars:delete" | "network:deployments:read" | "network:deployments:write" | "network:deployments:trigger" | "network:storage:read" | "network:storage:write" | "network:storage:delete" | "network:requests:read" | "network:ai_gateway:chat" | "network:ai_gateway:models" | "network:ai_gateway:usage:read" | "network:ai_gateway:budgets:read" | "network:ai_gateway:budgets:write" | "network:ai_gateway:policies:read" | "network:ai_gateway:policies:write" | "fastcache:read" | "fastcache:write" | "fastcache:delete" | "web-reputation:domain:get" | "web-reputation:email:get" | "whois:domain:get")[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "name": "Production",
                     *       "redirectUris": [
                     *         "text"
                     *       ],
                     *       "scopes": [
                     *         "text"
                     *       ],
                     *       "confidential": false,
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthClient"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAllOrganizations: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description A part of the name or the slug. */
                search?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-9387-77ca-b481-5c83faf57cde",
                     *           "name": "Acme",
                     *           "slug": "acme",
                     *           "imageUrl": "http://mainstay.test/avatars/01a200c5-9387-77ca-b481-5c83faf57cde.svg",
                     *           "members": 2,
                     *           "suspended": false,
                     *           "deletedAt": null,
                     *           "createdAt": "2026-11-22T01:01:18.087Z",
                     *           "updatedAt": "2026-11-22T01:01:18.087Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AdminOrganization"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateAnyOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                adminOrganizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "suspended": true
                 *     }
                 */
                "application/json": {
                    suspended: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-9387-77ca-b481-5c83faf57cde",
                     *       "name": "Acme",
                     *       "slug": "acme",
                     *       "imageUrl": "http://mainstay.test/avatars/01a200c5-9387-77ca-b481-5c83faf57cde.svg",
                     *       "members": 2,
                     *       "suspended": true,
                     *       "deletedAt": null,
                     *       "createdAt": "2026-11-22T01:01:18.087Z",
                     *       "updatedAt": "2026-11-22T01:01:24.636Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AdminOrganization"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listProductsOfAnyOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                adminOrganizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "product": {
                     *             "slug": "production",
                     *             "displayName": "text",
                     *             "accessMode": "organization",
                     *             "defaultAccessPolicy": "granted",
                     *             "plans": [
                     *               {
                     *                 "slug": "production",
                     *                 "displayName": "text",
                     *                 "description": "text"
                     *               }
                     *             ]
                     *           },
                     *           "hasAccess": false,
                     *           "resolutionSource": "explicit",
                     *           "explicitEntitlement": {
                     *             "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *             "product": "text",
                     *             "status": "ACTIVE",
                     *             "grantedByUserId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *             "revokedAt": "2026-01-31T09:30:00.000Z",
                     *             "createdAt": "2026-01-31T09:30:00.000Z",
                     *             "updatedAt": "2026-01-31T09:30:00.000Z"
                     *           },
                     *           "subscription": {
                     *             "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *             "product": "text",
                     *             "plan": "text",
                     *             "status": "ACTIVE",
                     *             "activatedByUserId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *             "createdAt": "2026-01-31T09:30:00.000Z",
                     *             "updatedAt": "2026-01-31T09:30:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ProductAccess"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setEntitlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                adminOrganizationId: string;
                /** @description Slug of the product. */
                product: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "ACTIVE"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    status: "ACTIVE" | "SUSPENDED" | "REVOKED";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product": {
                     *         "slug": "whois",
                     *         "displayName": "Whois",
                     *         "accessMode": "organization",
                     *         "defaultAccessPolicy": "explicit_entitlement_required",
                     *         "plans": []
                     *       },
                     *       "hasAccess": true,
                     *       "resolutionSource": "explicit",
                     *       "explicitEntitlement": {
                     *         "id": "01a200c8-8495-7669-af89-611ae632d09f",
                     *         "product": "whois",
                     *         "status": "ACTIVE",
                     *         "grantedByUserId": "01a200c8-7da9-73ca-9725-533ed7e5e226",
                     *         "revokedAt": null,
                     *         "createdAt": "2026-11-22T01:04:30.869Z",
                     *         "updatedAt": "2026-11-22T01:04:30.869Z"
                     *       },
                     *       "subscription": null
                     *     }
                     */
                    "application/json": components["schemas"]["ProductAccess"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteEntitlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                adminOrganizationId: string;
                /** @description Slug of the product. */
                product: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product": {
                     *         "slug": "fastcache",
                     *         "displayName": "Key-value cache",
                     *         "accessMode": "organization",
                     *         "defaultAccessPolicy": "granted",
                     *         "plans": []
                     *       },
                     *       "hasAccess": true,
                     *       "resolutionSource": "default",
                     *       "explicitEntitlement": null,
                     *       "subscription": null
                     *     }
                     */
                    "application/json": components["schemas"]["ProductAccess"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                adminOrganizationId: string;
                /** @description Slug of the product. */
                product: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": "small",
                 *       "status": "ACTIVE"
                 *     }
                 */
                "application/json": {
                    /** @description The slug of a plan of the product. */
                    plan: string;
                    /**
                     * @default ACTIVE
                     * @enum {string}
                     */
                    status?: "ACTIVE" | "CANCELED";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product": {
                     *         "slug": "video",
                     *         "displayName": "Video",
                     *         "accessMode": "organization",
                     *         "defaultAccessPolicy": "explicit_entitlement_required",
                     *         "plans": [
                     *           {
                     *             "slug": "small",
                     *             "displayName": "Small",
                     *             "description": "For a few."
                     *           },
                     *           {
                     *             "slug": "large",
                     *             "displayName": "Large",
                     *             "description": "For many."
                     *           }
                     *         ]
                     *       },
                     *       "hasAccess": false,
                     *       "resolutionSource": "explicit",
                     *       "explicitEntitlement": {
                     *         "id": "01a200c8-84d2-768c-9aad-a67d336b948c",
                     *         "product": "video",
                     *         "status": "REVOKED",
                     *         "grantedByUserId": "01a200c8-7da9-73ca-9725-533ed7e5e226",
                     *         "revokedAt": "2026-11-22T01:04:31.044Z",
                     *         "createdAt": "2026-11-22T01:04:30.930Z",
                     *         "updatedAt": "2026-11-22T01:04:31.044Z"
                     *       },
                     *       "subscription": {
                     *         "id": "01a200c8-8581-7017-878f-c7fcfa559174",
                     *         "product": "video",
                     *         "plan": "small",
                     *         "status": "ACTIVE",
                     *         "activatedByUserId": "01a200c8-7da9-73ca-9725-533ed7e5e226",
                     *         "createdAt": "2026-11-22T01:04:31.105Z",
                     *         "updatedAt": "2026-11-22T01:04:31.105Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProductAccess"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getInstanceOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "0.1.0",
                     *       "node": "26.10.0",
                     *       "startedAt": "2026-11-22T01:01:18.449Z",
                     *       "database": {
                     *         "engine": "sqlite",
                     *         "ready": true,
                     *         "milliseconds": 10.92
                     *       },
                     *       "mail": false,
                     *       "memoryBytes": 327352320,
                     *       "users": 2,
                     *       "waitlist": 1,
                     *       "organizations": 1,
                     *       "apiKeys": 4
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceOverview"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getInstanceSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "earlyAccess": false,
                     *       "organizationQuota": 10,
                     *       "organizationsPerMinute": 5,
                     *       "paymentRequired": false,
                     *       "organizationsWithoutPayment": 1
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceSettings"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateInstanceSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organizationQuota": 1
                 *     }
                 */
                "application/json": {
                    /** @description Only people taken off the waitlist create organizations. */
                    earlyAccess?: boolean;
                    organizationQuota?: number;
                    organizationsPerMinute?: number;
                    paymentRequired?: boolean;
                    organizationsWithoutPayment?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "earlyAccess": false,
                     *       "organizationQuota": 1,
                     *       "organizationsPerMinute": 5,
                     *       "paymentRequired": false,
                     *       "organizationsWithoutPayment": 1
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceSettings"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getInstanceUsage: {
        parameters: {
            query?: {
                /** @description Up to now. */
                range?: "24h" | "7d" | "30d";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "range": "24h",
                     *       "from": "2026-01-31T09:30:00.000Z",
                     *       "pointSeconds": 1,
                     *       "counters": {
                     *         "requests": [
                     *           1
                     *         ],
                     *         "clientErrors": [
                     *           1
                     *         ],
                     *         "serverErrors": [
                     *           1
                     *         ],
                     *         "tokensIssued": [
                     *           1
                     *         ],
                     *         "cacheHits": [
                     *           1
                     *         ],
                     *         "cacheMisses": [
                     *           1
                     *         ]
                     *       },
                     *       "totals": {
                     *         "requests": 1,
                     *         "clientErrors": 1,
                     *         "serverErrors": 1,
                     *         "tokensIssued": 1,
                     *         "cacheHits": 1,
                     *         "cacheMisses": 1
                     *       },
                     *       "previous": {
                     *         "requests": 1,
                     *         "clientErrors": 1,
                     *         "serverErrors": 1,
                     *         "tokensIssued": 1,
                     *         "cacheHits": 1,
                     *         "cacheMisses": 1
                     *       },
                     *       "gauges": {
                     *         "memoryBytes": [
                     *           1
                     *         ],
                     *         "eventLoopMilliseconds": [
                     *           1
                     *         ],
                     *         "databaseMilliseconds": [
                     *           1
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["InstanceUsage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description A part of the address or the name. */
                search?: string;
                /** @description Only those who wait to be admitted, longest first. */
                waitlist?: boolean;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-9a83-77bc-a4b4-a7443982ad10",
                     *           "email": "plain.person@example.com",
                     *           "name": "Plain.Person@example.com",
                     *           "operator": false,
                     *           "admitted": false,
                     *           "suspended": false,
                     *           "hasPaymentMethod": false,
                     *           "organizations": 0,
                     *           "createdAt": "2026-11-22T01:01:19.875Z",
                     *           "updatedAt": "2026-11-22T01:01:19.875Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AdminUser"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the user. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "suspended": true
                 *     }
                 */
                "application/json": {
                    admitted?: boolean;
                    suspended?: boolean;
                    operator?: boolean;
                    hasPaymentMethod?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-9a83-77bc-a4b4-a7443982ad10",
                     *       "email": "plain.person@example.com",
                     *       "name": "Plain.Person@example.com",
                     *       "operator": false,
                     *       "admitted": false,
                     *       "suspended": true,
                     *       "hasPaymentMethod": false,
                     *       "organizations": 0,
                     *       "createdAt": "2026-11-22T01:01:19.875Z",
                     *       "updatedAt": "2026-11-22T01:01:20.617Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createPasswordResetLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the user. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "http://mainstay.test/reset-password#...",
                     *       "expiresAt": "2026-11-22T02:01:32.481Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PasswordResetLink"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listInstanceReputationOverrides: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200cb-3b5e-7294-8446-14ede7a52100",
                     *           "domain": "both.example",
                     *           "action": "block",
                     *           "status": "malware",
                     *           "note": null,
                     *           "createdAt": "2026-11-22T01:07:28.734Z",
                     *           "updatedAt": "2026-11-22T01:07:28.734Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ReputationOverride"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createInstanceReputationOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "both.example",
                 *       "action": "block",
                 *       "status": "malware"
                 *     }
                 */
                "application/json": {
                    domain: string;
                    /** @enum {string} */
                    action: "block" | "allow";
                    /**
                     * @description What to answer: for a block one that is withheld (spam when absent), else neutral or relay_email.
                     * @enum {string}
                     */
                    status?: "neutral" | "adult_content" | "phishing" | "spam" | "disposable_email" | "relay_email" | "piracy" | "malware" | "tracker" | "squat";
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200cb-3b5e-7294-8446-14ede7a52100",
                     *       "domain": "both.example",
                     *       "action": "block",
                     *       "status": "malware",
                     *       "note": null,
                     *       "createdAt": "2026-11-22T01:07:28.734Z",
                     *       "updatedAt": "2026-11-22T01:07:28.734Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ReputationOverride"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteInstanceReputationOverride: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the override. */
                overrideId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateInstanceReputationOverride: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the override. */
                overrideId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "block",
                 *       "status": "neutral",
                 *       "note": "text"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    action?: "block" | "allow";
                    /**
                     * @description What to answer: for a block one that is withheld (spam when absent), else neutral or relay_email.
                     * @enum {string}
                     */
                    status?: "neutral" | "adult_content" | "phishing" | "spam" | "disposable_email" | "relay_email" | "piracy" | "malware" | "tracker" | "squat";
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "domain": "example.com",
                     *       "action": "block",
                     *       "status": "neutral",
                     *       "note": "text",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ReputationOverride"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    refreshReputationFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Begun. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createSpeech: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    createTranscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    createEmbedding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    createAiImage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    createAiMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    countAiMessageTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    listAiModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "object": "model",
                     *           "created": 1,
                     *           "owned_by": "text",
                     *           "name": "Production",
                     *           "provider": "text",
                     *           "providerLogoUrl": "text",
                     *           "capabilities": {
                     *             "chat": false,
                     *             "streaming": false,
                     *             "tools": false,
                     *             "vision": false,
                     *             "json_mode": false
                     *           },
                     *           "modalities": {
                     *             "input": [
                     *               "text"
                     *             ],
                     *             "output": [
                     *               "text"
                     *             ]
                     *           },
                     *           "contextWindow": 1,
                     *           "maxOutputTokens": 1,
                     *           "description": "text",
                     *           "prices": {
                     *             "input": 1,
                     *             "output": 1,
                     *             "cachedInput": 1
                     *           },
                     *           "routingProviders": [
                     *             "text"
                     *           ],
                     *           "routingProviderDetails": [
                     *             {
                     *               "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *               "name": "Production",
                     *               "logoUrl": "text",
                     *               "supportsZdr": false
                     *             }
                     *           ],
                     *           "zdrProviders": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "data": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "object": "model",
                     *           "created": 1,
                     *           "owned_by": "text",
                     *           "name": "Production",
                     *           "provider": "text",
                     *           "providerLogoUrl": "text",
                     *           "capabilities": {
                     *             "chat": false,
                     *             "streaming": false,
                     *             "tools": false,
                     *             "vision": false,
                     *             "json_mode": false
                     *           },
                     *           "modalities": {
                     *             "input": [
                     *               "text"
                     *             ],
                     *             "output": [
                     *               "text"
                     *             ]
                     *           },
                     *           "contextWindow": 1,
                     *           "maxOutputTokens": 1,
                     *           "description": "text",
                     *           "prices": {
                     *             "input": 1,
                     *             "output": 1,
                     *             "cachedInput": 1
                     *           },
                     *           "routingProviders": [
                     *             "text"
                     *           ],
                     *           "routingProviderDetails": [
                     *             {
                     *               "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *               "name": "Production",
                     *               "logoUrl": "text",
                     *               "supportsZdr": false
                     *             }
                     *           ],
                     *           "zdrProviders": [
                     *             "text"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        items: components["schemas"]["AiModel"][];
                        total: number;
                        /** @description The same as `items`, where clients of OpenAI look for it. */
                        data: components["schemas"]["AiModel"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAiModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                "*": string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "object": "model",
                     *       "created": 1,
                     *       "owned_by": "text",
                     *       "name": "Production",
                     *       "provider": "text",
                     *       "providerLogoUrl": "text",
                     *       "capabilities": {
                     *         "chat": false,
                     *         "streaming": false,
                     *         "tools": false,
                     *         "vision": false,
                     *         "json_mode": false
                     *       },
                     *       "modalities": {
                     *         "input": [
                     *           "text"
                     *         ],
                     *         "output": [
                     *           "text"
                     *         ]
                     *       },
                     *       "contextWindow": 1,
                     *       "maxOutputTokens": 1,
                     *       "description": "text",
                     *       "prices": {
                     *         "input": 1,
                     *         "output": 1,
                     *         "cachedInput": 1
                     *       },
                     *       "routingProviders": [
                     *         "text"
                     *       ],
                     *       "routingProviderDetails": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production",
                     *           "logoUrl": "text",
                     *           "supportsZdr": false
                     *         }
                     *       ],
                     *       "zdrProviders": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AiModel"];
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createAiResponse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    createVideo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    listAiVideoModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "list",
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "object": "model",
                     *           "created": 1,
                     *           "owned_by": "text",
                     *           "name": "Production",
                     *           "provider": "text",
                     *           "providerLogoUrl": "text",
                     *           "capabilities": {
                     *             "chat": false,
                     *             "streaming": false,
                     *             "tools": false,
                     *             "vision": false,
                     *             "json_mode": false
                     *           },
                     *           "modalities": {
                     *             "input": [
                     *               "text"
                     *             ],
                     *             "output": [
                     *               "text"
                     *             ]
                     *           },
                     *           "contextWindow": 1,
                     *           "maxOutputTokens": 1,
                     *           "description": "text",
                     *           "prices": {
                     *             "input": 1,
                     *             "output": 1,
                     *             "cachedInput": 1
                     *           },
                     *           "routingProviders": [
                     *             "text"
                     *           ],
                     *           "routingProviderDetails": [
                     *             {
                     *               "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *               "name": "Production",
                     *               "logoUrl": "text",
                     *               "supportsZdr": false
                     *             }
                     *           ],
                     *           "zdrProviders": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "data": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "object": "model",
                     *           "created": 1,
                     *           "owned_by": "text",
                     *           "name": "Production",
                     *           "provider": "text",
                     *           "providerLogoUrl": "text",
                     *           "capabilities": {
                     *             "chat": false,
                     *             "streaming": false,
                     *             "tools": false,
                     *             "vision": false,
                     *             "json_mode": false
                     *           },
                     *           "modalities": {
                     *             "input": [
                     *               "text"
                     *             ],
                     *             "output": [
                     *               "text"
                     *             ]
                     *           },
                     *           "contextWindow": 1,
                     *           "maxOutputTokens": 1,
                     *           "description": "text",
                     *           "prices": {
                     *             "input": 1,
                     *             "output": 1,
                     *             "cachedInput": 1
                     *           },
                     *           "routingProviders": [
                     *             "text"
                     *           ],
                     *           "routingProviderDetails": [
                     *             {
                     *               "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *               "name": "Production",
                     *               "logoUrl": "text",
                     *               "supportsZdr": false
                     *             }
                     *           ],
                     *           "zdrProviders": [
                     *             "text"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        items: components["schemas"]["AiModel"][];
                        total: number;
                        /** @description The same as `items`, where clients of OpenAI look for it. */
                        data: components["schemas"]["AiModel"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the video. */
                videoId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    getVideoContent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the video. */
                videoId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As the protocol defines it; a stream where the body asks for one. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example null */
                    "application/json": unknown;
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
            /** @description A failure, in the shape of the protocol's own errors. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": {
                     *         "message": "text",
                     *         "type": "text",
                     *         "param": "text",
                     *         "code": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AiError"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Id of the application. */
                applicationId?: string;
                /** @description Id of the organization. */
                organizationId?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-9ad8-771c-9bec-04283842aa79",
                     *           "name": "Bootstrap",
                     *           "applicationId": "01a200c5-9abf-741e-be6c-a0802584997b",
                     *           "organizationId": null,
                     *           "environmentId": null,
                     *           "scopes": [
                     *             "openid",
                     *             "platform:organizations:read"
                     *           ],
                     *           "allowedAddresses": [],
                     *           "secrets": [
                     *             {
                     *               "id": "01a200c5-9ad8-771d-acac-2774cdf12027",
                     *               "createdAt": "2026-11-22T01:01:19.960Z"
                     *             }
                     *           ],
                     *           "expiresAt": null,
                     *           "lastUsedAt": null,
                     *           "createdAt": "2026-11-22T01:01:19.960Z",
                     *           "updatedAt": "2026-11-22T01:01:19.960Z"
                     *         },
                     *         {
                     *           "id": "01a200c5-a565-74a2-a511-d2d3d556b9b6",
                     *           "name": "CI",
                     *           "applicationId": "01a200c5-9abf-741e-be6c-a0802584997b",
                     *           "organizationId": null,
                     *           "environmentId": null,
                     *           "scopes": [
                     *             "openid",
                     *             "platform:organizations:read"
                     *           ],
                     *           "allowedAddresses": [],
                     *           "secrets": [
                     *             {
                     *               "id": "01a200c5-a565-74a3-98c7-720c0e7879b3",
                     *               "createdAt": "2026-11-22T01:01:22.661Z"
                     *             }
                     *           ],
                     *           "expiresAt": "2027-02-20T01:01:22.659Z",
                     *           "lastUsedAt": "2026-11-22T01:01:22.734Z",
                     *           "createdAt": "2026-11-22T01:01:22.661Z",
                     *           "updatedAt": "2026-11-22T01:01:22.661Z"
                     *         }
                     *       ],
                     *       "total": 2
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ApiKey"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "k"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name: string;
                    applicationId?: string | null;
                    organizationId?: string | null;
                    environmentId?: string | null;
                    /** @description A part of the caller's own scopes. Default: those that only read and that the key's actor may hold. */
                    scopes?: ("openid" | "platform:organizations:read" | "platform:organizations:write" | "platform:api_keys:read" | "platform:api_keys:write" | "platform:api_keys:delete" | "platform:admin:read" | "platform:admin:write" | "network:applications:read" | "network:applications:write" | "network:env_vars:read" | "network:env_vars:write" | "network:env_vars:delete" | "network:deployments:read" | "network:deployments:write" | "network:deployments:trigger" | "network:storage:read" | "network:storage:write" | "network:storage:delete" | "network:requests:read" | "network:ai_gateway:chat" | "network:ai_gateway:models" | "network:ai_gateway:usage:read" | "network:ai_gateway:budgets:read" | "network:ai_gateway:budgets:write" | "network:ai_gateway:policies:read" | "network:ai_gateway:policies:write" | "fastcache:read" | "fastcache:write" | "fastcache:delete" | "web-reputation:domain:get" | "web-reputation:email:get" | "whois:domain:get")[];
                    /** @description Default: 90 days from now. null: never; that needs a fresh session, or a key that never expires. */
                    expiresAt?: string | null;
                    /** @description Addresses and CIDR blocks that the key and its tokens may be used from. Default: those of the key that makes it, else anywhere. */
                    allowedAddresses?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-9f24-71fd-b0dc-cab02f03dfaa",
                     *       "name": "k",
                     *       "applicationId": null,
                     *       "organizationId": null,
                     *       "environmentId": null,
                     *       "scopes": [
                     *         "openid",
                     *         "platform:organizations:read"
                     *       ],
                     *       "allowedAddresses": [],
                     *       "secrets": [
                     *         {
                     *           "id": "01a200c5-9f24-71fe-a070-8253db7f15af",
                     *           "createdAt": "2026-11-22T01:01:21.060Z"
                     *         }
                     *       ],
                     *       "expiresAt": "2027-02-20T01:01:21.056Z",
                     *       "lastUsedAt": null,
                     *       "createdAt": "2026-11-22T01:01:21.060Z",
                     *       "updatedAt": "2026-11-22T01:01:21.060Z",
                     *       "secret": "mst_..."
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listApiKeyScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "scope": "openid",
                     *           "area": "Identity",
                     *           "text": "Know who you are",
                     *           "actors": [
                     *             "user",
                     *             "organization"
                     *           ]
                     *         },
                     *         {
                     *           "scope": "platform:organizations:read",
                     *           "area": "Organizations",
                     *           "text": "See your organizations, their members and what they may use",
                     *           "actors": [
                     *             "user",
                     *             "organization"
                     *           ]
                     *         }
                     *       ],
                     *       "total": 31
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ScopeInfo"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the API key. */
                apiKeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-a565-74a2-a511-d2d3d556b9b6",
                     *       "name": "CI",
                     *       "applicationId": "01a200c5-9abf-741e-be6c-a0802584997b",
                     *       "organizationId": null,
                     *       "environmentId": null,
                     *       "scopes": [
                     *         "openid",
                     *         "platform:organizations:read"
                     *       ],
                     *       "allowedAddresses": [],
                     *       "secrets": [
                     *         {
                     *           "id": "01a200c5-a565-74a3-98c7-720c0e7879b3",
                     *           "createdAt": "2026-11-22T01:01:22.661Z"
                     *         }
                     *       ],
                     *       "expiresAt": "2027-02-20T01:01:22.659Z",
                     *       "lastUsedAt": "2026-11-22T01:01:22.734Z",
                     *       "createdAt": "2026-11-22T01:01:22.661Z",
                     *       "updatedAt": "2026-11-22T01:01:22.661Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the API key. */
                apiKeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createApiKeySecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the API key. */
                apiKeyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-aa02-7377-b1af-e633ffad5e40",
                     *       "secret": "mst_...",
                     *       "createdAt": "2026-11-22T01:01:23.842Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedSecret"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteApiKeySecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the API key. */
                apiKeyId: string;
                /** @description Id of the secret. */
                secretId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listApplications: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Id of the organization. */
                organizationId?: string;
                /** @description Only those whose name or slug contains this text. */
                query?: string;
                /** @description Those that can still be restored, instead. */
                deleted?: boolean;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-ed4c-74f7-8c69-4edc126b5760",
                     *           "organization": {
                     *             "id": "01a200c5-ed2c-7789-979e-a67d7e068b26",
                     *             "name": "Listers",
                     *             "slug": "listers",
                     *             "imageUrl": "http://mainstay.test/avatars/01a200c5-ed2c-7789-979e-a67d7e068b26.svg",
                     *             "createdAt": "2026-11-22T01:01:41.036Z",
                     *             "updatedAt": "2026-11-22T01:01:41.036Z"
                     *           },
                     *           "name": "Alpha",
                     *           "imageUrl": "http://mainstay.test/avatars/01a200c5-ed4c-74f7-8c69-4edc126b5760.svg",
                     *           "createdAt": "2026-11-22T01:01:41.068Z",
                     *           "updatedAt": "2026-11-22T01:01:41.068Z"
                     *         },
                     *         {
                     *           "id": "01a200c5-ed51-7354-a44c-7eea68975993",
                     *           "organization": {
                     *             "id": "01a200c5-ed2c-7789-979e-a67d7e068b26",
                     *             "name": "Listers",
                     *             "slug": "listers",
                     *             "imageUrl": "http://mainstay.test/avatars/01a200c5-ed2c-7789-979e-a67d7e068b26.svg",
                     *             "createdAt": "2026-11-22T01:01:41.036Z",
                     *             "updatedAt": "2026-11-22T01:01:41.036Z"
                     *           },
                     *           "name": "Beta 50%",
                     *           "imageUrl": "http://mainstay.test/avatars/01a200c5-ed51-7354-a44c-7eea68975993.svg",
                     *           "createdAt": "2026-11-22T01:01:41.073Z",
                     *           "updatedAt": "2026-11-22T01:01:41.073Z"
                     *         }
                     *       ],
                     *       "total": 3
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ApplicationSummary"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organizationId": "01a200c5-e6d9-7624-965f-2ec69fdf3bc4",
                 *       "name": "  Größe & Söhne  ",
                 *       "rootDirectory": "./apps/web/"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    organizationId: string;
                    /** @description 1 to 128 characters once trimmed. */
                    name: string;
                    /** @description Small letters, digits and inner hyphens; unique. */
                    slug?: string;
                    rootDirectory?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-ec8a-74b8-a5c6-0f4ba9276dfe",
                     *       "organizationId": "01a200c5-e6d9-7624-965f-2ec69fdf3bc4",
                     *       "name": "Größe & Söhne",
                     *       "slug": "grosse-sohne",
                     *       "imageUrl": "http://mainstay.test/avatars/01a200c5-ec8a-74b8-a5c6-0f4ba9276dfe.svg",
                     *       "rootDirectory": "apps/web",
                     *       "defaultEnvironmentSlug": "production",
                     *       "createdAt": "2026-11-22T01:01:40.874Z",
                     *       "updatedAt": "2026-11-22T01:01:40.874Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-ec8a-74b8-a5c6-0f4ba9276dfe",
                     *       "organizationId": "01a200c5-e6d9-7624-965f-2ec69fdf3bc4",
                     *       "name": "Größe & Söhne",
                     *       "slug": "grosse-sohne",
                     *       "imageUrl": "http://mainstay.test/avatars/01a200c5-ec8a-74b8-a5c6-0f4ba9276dfe.svg",
                     *       "rootDirectory": "apps/web",
                     *       "defaultEnvironmentSlug": "production",
                     *       "createdAt": "2026-11-22T01:01:40.874Z",
                     *       "updatedAt": "2026-11-22T01:01:40.874Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Renamed"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name?: string;
                    /** @description Small letters, digits and inner hyphens; unique. */
                    slug?: string;
                    rootDirectory?: string | null;
                    /** @description Small letters, digits and inner hyphens; unique. */
                    defaultEnvironmentSlug?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-edce-77ab-90c5-1d5892e60896",
                     *       "organizationId": "01a200c5-ed9d-778c-a93f-402f1d99c990",
                     *       "name": "Renamed",
                     *       "slug": "seen",
                     *       "imageUrl": "http://mainstay.test/avatars/01a200c5-edce-77ab-90c5-1d5892e60896.svg",
                     *       "rootDirectory": null,
                     *       "defaultEnvironmentSlug": "production",
                     *       "createdAt": "2026-11-22T01:01:41.198Z",
                     *       "updatedAt": "2026-11-22T01:01:41.312Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    purgeGatewayCache: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "environment": "text",
                 *       "tags": [
                 *         "text"
                 *       ],
                 *       "paths": [
                 *         "text"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Slug or id; all of them where it is absent. */
                    environment?: string;
                    tags?: string[];
                    /** @description A path that ends in `*` stands for everything below it. */
                    paths?: string[];
                };
            };
        };
        responses: {
            /** @description Purged. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDomains: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "domain": "example.com",
                     *           "state": "pending",
                     *           "records": [
                     *             {
                     *               "type": "TXT",
                     *               "name": "Production",
                     *               "value": "text",
                     *               "purpose": "proof",
                     *               "status": "set",
                     *               "found": [
                     *                 "text"
                     *               ]
                     *             }
                     *           ],
                     *           "problem": "text",
                     *           "checkedAt": "2026-01-31T09:30:00.000Z",
                     *           "verifiedAt": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Domain"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    addDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "example.com"
                 *     }
                 */
                "application/json": {
                    /** @description Such as `example.com`, `www.example.com` or `*.example.com`. */
                    domain: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "domain": "example.com",
                     *       "state": "pending",
                     *       "records": [
                     *         {
                     *           "type": "TXT",
                     *           "name": "Production",
                     *           "value": "text",
                     *           "purpose": "proof",
                     *           "status": "set",
                     *           "found": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "problem": "text",
                     *       "checkedAt": "2026-01-31T09:30:00.000Z",
                     *       "verifiedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the domain. */
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "domain": "example.com",
                     *       "state": "pending",
                     *       "records": [
                     *         {
                     *           "type": "TXT",
                     *           "name": "Production",
                     *           "value": "text",
                     *           "purpose": "proof",
                     *           "status": "set",
                     *           "found": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "problem": "text",
                     *       "checkedAt": "2026-01-31T09:30:00.000Z",
                     *       "verifiedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the domain. */
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the domain. */
                domainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "domain": "example.com",
                     *       "state": "pending",
                     *       "records": [
                     *         {
                     *           "type": "TXT",
                     *           "name": "Production",
                     *           "value": "text",
                     *           "purpose": "proof",
                     *           "status": "set",
                     *           "found": [
                     *             "text"
                     *           ]
                     *         }
                     *       ],
                     *       "problem": "text",
                     *       "checkedAt": "2026-01-31T09:30:00.000Z",
                     *       "verifiedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listApplicationEnvVars: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description The slug or the id of an environment of the application. */
                environment?: string;
                /** @description Where it holds. */
                scope?: "application" | "environment";
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c9-8cab-7221-9485-75c569b2ad02",
                     *           "key": "B",
                     *           "value": "B of application",
                     *           "sensitive": false,
                     *           "scope": "application",
                     *           "environmentId": null,
                     *           "environmentName": null,
                     *           "createdAt": "2026-11-22T01:05:38.475Z",
                     *           "updatedAt": "2026-11-22T01:05:38.475Z"
                     *         },
                     *         {
                     *           "id": "01a200c9-8cb0-7206-9ea1-41c28cbd85ba",
                     *           "key": "C",
                     *           "value": "C of application",
                     *           "sensitive": false,
                     *           "scope": "application",
                     *           "environmentId": null,
                     *           "environmentName": null,
                     *           "createdAt": "2026-11-22T01:05:38.480Z",
                     *           "updatedAt": "2026-11-22T01:05:38.480Z"
                     *         }
                     *       ],
                     *       "total": 6
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["EnvVar"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createApplicationEnvVar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "B",
                 *       "value": "B of application"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 255 characters, no "=", no control characters. */
                    key: string;
                    /** @description At most 64 KiB of UTF-8. */
                    value: string;
                    /** @description Never shown again by any response. */
                    sensitive?: boolean;
                    /** @enum {string} */
                    scope?: "application" | "environment";
                    environmentId?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c9-8cab-7221-9485-75c569b2ad02",
                     *       "key": "B",
                     *       "value": "B of application",
                     *       "sensitive": false,
                     *       "scope": "application",
                     *       "environmentId": null,
                     *       "environmentName": null,
                     *       "createdAt": "2026-11-22T01:05:38.475Z",
                     *       "updatedAt": "2026-11-22T01:05:38.475Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EnvVar"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    compareApplicationEnvVars: {
        parameters: {
            query: {
                /** @description The slug or the id of an environment of the application. */
                left: string;
                /** @description The slug or the id of an environment of the application. */
                right: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key": "A",
                     *           "status": "same",
                     *           "left": {
                     *             "value": "A of organization",
                     *             "sensitive": false,
                     *             "source": "organization"
                     *           },
                     *           "right": {
                     *             "value": "A of organization",
                     *             "sensitive": false,
                     *             "source": "organization"
                     *           }
                     *         },
                     *         {
                     *           "key": "B",
                     *           "status": "same",
                     *           "left": {
                     *             "value": "B of application",
                     *             "sensitive": false,
                     *             "source": "application"
                     *           },
                     *           "right": {
                     *             "value": "B of application",
                     *             "sensitive": false,
                     *             "source": "application"
                     *           }
                     *         }
                     *       ],
                     *       "total": 7
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["EnvVarComparison"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    copyApplicationEnvVars: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": "copies",
                 *       "from": "production",
                 *       "keys": [
                 *         "CMP_LEFT",
                 *         "CMP_SECRET"
                 *       ],
                 *       "overwrite": false
                 *     }
                 */
                "application/json": {
                    /** @description The slug or the id of an environment of the application. */
                    from: string;
                    /** @description The slug or the id of an environment of the application. */
                    to: string;
                    /** @description Default: all that the environment has of its own. */
                    keys?: string[];
                    /**
                     * @description Whether to change those that are there.
                     * @default false
                     */
                    overwrite?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": 2,
                     *       "updated": 0,
                     *       "unchanged": 0,
                     *       "skipped": 0
                     *     }
                     */
                    "application/json": components["schemas"]["EnvVarCopy"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    exportApplicationEnvVars: {
        parameters: {
            query?: {
                /** @description The slug or the id of an environment of the application. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description text/plain, dotenv syntax. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/json": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    importApplicationEnvVars: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "IMPORTED=1\nQUOTED=\"two words\"\n",
                 *       "environmentId": "01a200c9-8a61-7521-859a-f158171cf3d4",
                 *       "sensitive": false,
                 *       "overwrite": true
                 *     }
                 */
                "application/json": {
                    /** @description Variables in dotenv syntax. */
                    content: string;
                    /**
                     * @description Whether new ones become sensitive.
                     * @default false
                     */
                    sensitive?: boolean;
                    /**
                     * @description When false, a key that exists is a conflict and nothing is imported.
                     * @default true
                     */
                    overwrite?: boolean;
                    environmentId?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": 2,
                     *       "updated": 0,
                     *       "unchanged": 0
                     *     }
                     */
                    "application/json": components["schemas"]["EnvVarImport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    pullApplicationEnvVars: {
        parameters: {
            query?: {
                /** @description The slug or the id of an environment of the application. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key": "A",
                     *           "value": "A of organization",
                     *           "source": "organization"
                     *         },
                     *         {
                     *           "key": "B",
                     *           "value": "B of application",
                     *           "source": "application"
                     *         }
                     *       ],
                     *       "total": 4,
                     *       "omittedSensitive": 0
                     *     }
                     */
                    "application/json": components["schemas"]["PulledEnvVars"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resolveApplicationEnvVars: {
        parameters: {
            query?: {
                /** @description The slug or the id of an environment of the application. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key": "A",
                     *           "value": "A of organization",
                     *           "source": "organization",
                     *           "sensitive": false
                     *         },
                     *         {
                     *           "key": "B",
                     *           "value": "B of application",
                     *           "source": "application",
                     *           "sensitive": false
                     *         }
                     *       ],
                     *       "total": 7,
                     *       "omittedSensitive": 2
                     *     }
                     */
                    "application/json": components["schemas"]["ResolvedEnvVars"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteApplicationEnvVar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the env var. */
                envVarId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateApplicationEnvVar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the env var. */
                envVarId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "2",
                 *       "environmentId": "01a200c9-8a61-7521-859a-f158171cf3d4"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 255 characters, no "=", no control characters. */
                    key?: string;
                    /** @description At most 64 KiB of UTF-8. */
                    value?: string;
                    /** @description Never shown again by any response. */
                    sensitive?: boolean;
                    /** @enum {string} */
                    scope?: "application" | "environment";
                    environmentId?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c9-8d8e-726e-a427-b474f26f4c8b",
                     *       "key": "CHANGES",
                     *       "value": "2",
                     *       "sensitive": false,
                     *       "scope": "environment",
                     *       "environmentId": "01a200c9-8a61-7521-859a-f158171cf3d4",
                     *       "environmentName": "Preview",
                     *       "createdAt": "2026-11-22T01:05:38.702Z",
                     *       "updatedAt": "2026-11-22T01:05:38.708Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EnvVar"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listApplicationEnvVarVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the env var. */
                envVarId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "version": 2,
                     *           "key": "CHANGES",
                     *           "value": "2",
                     *           "sensitive": false,
                     *           "actor": {
                     *             "type": "application",
                     *             "id": "01a200c9-8a61-751f-9682-02369d6ab255"
                     *           },
                     *           "createdAt": "2026-11-22T01:05:38.708Z"
                     *         },
                     *         {
                     *           "version": 1,
                     *           "key": "CHANGES",
                     *           "value": "1",
                     *           "sensitive": false,
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "01a200c9-8a5f-7551-bdc1-05aeb09a0824"
                     *           },
                     *           "createdAt": "2026-11-22T01:05:38.702Z"
                     *         }
                     *       ],
                     *       "total": 2
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["EnvVarVersion"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    restoreApplicationEnvVarVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the env var. */
                envVarId: string;
                /** @description Number of the version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c9-8d8e-726e-a427-b474f26f4c8b",
                     *       "key": "CHANGES",
                     *       "value": "1",
                     *       "sensitive": false,
                     *       "scope": "environment",
                     *       "environmentId": "01a200c9-8a61-7521-859a-f158171cf3d4",
                     *       "environmentName": "Preview",
                     *       "createdAt": "2026-11-22T01:05:38.702Z",
                     *       "updatedAt": "2026-11-22T01:05:38.722Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EnvVar"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listEnvironments: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-ec8a-74b9-9984-02f0598c793d",
                     *           "applicationId": "01a200c5-ec8a-74b8-a5c6-0f4ba9276dfe",
                     *           "name": "Production",
                     *           "slug": "production",
                     *           "branches": [
                     *             "main"
                     *           ],
                     *           "createdAt": "2026-11-22T01:01:40.874Z",
                     *           "updatedAt": "2026-11-22T01:01:40.874Z"
                     *         },
                     *         {
                     *           "id": "01a200c5-ec8a-74ba-9c0a-a6fd811723df",
                     *           "applicationId": "01a200c5-ec8a-74b8-a5c6-0f4ba9276dfe",
                     *           "name": "Preview",
                     *           "slug": "preview",
                     *           "branches": [
                     *             "*"
                     *           ],
                     *           "createdAt": "2026-11-22T01:01:40.874Z",
                     *           "updatedAt": "2026-11-22T01:01:40.874Z"
                     *         }
                     *       ],
                     *       "total": 2
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Environment"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Staging Área",
                 *       "branches": [
                 *         "develop",
                 *         "release/*"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name: string;
                    /** @description Small letters, digits and inner hyphens; unique. */
                    slug?: string;
                    /** @description The branches that it takes: names, and patterns where `*` stands for any text. */
                    branches?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c6-0f6b-7097-a333-f96cbf724b33",
                     *       "applicationId": "01a200c6-095c-739f-ae4f-5982f1766260",
                     *       "name": "Staging Área",
                     *       "slug": "staging-area",
                     *       "branches": [
                     *         "develop",
                     *         "release/*"
                     *       ],
                     *       "createdAt": "2026-11-22T01:01:49.803Z",
                     *       "updatedAt": "2026-11-22T01:01:49.803Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Environment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the environment. */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c6-0f6b-7097-a333-f96cbf724b33",
                     *       "applicationId": "01a200c6-095c-739f-ae4f-5982f1766260",
                     *       "name": "Staging Área",
                     *       "slug": "staging-area",
                     *       "branches": [
                     *         "develop",
                     *         "release/*"
                     *       ],
                     *       "createdAt": "2026-11-22T01:01:49.803Z",
                     *       "updatedAt": "2026-11-22T01:01:49.803Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Environment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the environment. */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the environment. */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "QA",
                 *       "slug": "qa",
                 *       "branches": [
                 *         "qa"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name?: string;
                    /** @description Small letters, digits and inner hyphens; unique. */
                    slug?: string;
                    /** @description The branches that it takes: names, and patterns where `*` stands for any text. */
                    branches?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c6-0f6b-7097-a333-f96cbf724b33",
                     *       "applicationId": "01a200c6-095c-739f-ae4f-5982f1766260",
                     *       "name": "QA",
                     *       "slug": "qa",
                     *       "branches": [
                     *         "qa"
                     *       ],
                     *       "createdAt": "2026-11-22T01:01:49.803Z",
                     *       "updatedAt": "2026-11-22T01:01:49.936Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Environment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getEnvironmentProtection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the environment. */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": false,
                     *       "hasPassword": false,
                     *       "bypassCreatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EnvironmentProtection"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateEnvironmentProtection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the environment. */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false,
                 *       "password": "text"
                 *     }
                 */
                "application/json": {
                    enabled?: boolean;
                    /** @description null takes it away. Visitors that it let in have to come in again. */
                    password?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": false,
                     *       "hasPassword": false,
                     *       "bypassCreatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EnvironmentProtection"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createProtectionBypass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the environment. */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "text",
                     *       "createdAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Shown once. Sent as the header `x-mainstay-protection-bypass`. */
                        token: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, milliseconds.
                         */
                        createdAt: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteProtectionBypass: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the environment. */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createShareLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the environment. */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "deploymentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *       "path": "/",
                 *       "expiresInSeconds": 604800
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    deploymentId: string;
                    /** @default / */
                    path?: string;
                    /** @default 604800 */
                    expiresInSeconds?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "text",
                     *       "expiresAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description Whoever has it sees the deployment until it expires. */
                        url: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, milliseconds.
                         */
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    endShareLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the environment. */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getApplicationCacheItem: {
        parameters: {
            query: {
                /** @description 1 to 512 bytes of UTF-8. */
                key: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "DATABASE_URL",
                     *       "value": "text",
                     *       "expiration": 1,
                     *       "byteSize": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CacheItem"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setApplicationCacheItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "DATABASE_URL",
                 *       "value": "text",
                 *       "expiration": null
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 512 bytes of UTF-8. */
                    key: string;
                    /** @description Text of up to 1 MiB of UTF-8; binary as base64, say. */
                    value: string;
                    /** @description Absent, null or 0: never. Up to 2592000 (30 days): seconds from now. Above: a Unix time in seconds; one that is past means at once. */
                    expiration?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "DATABASE_URL",
                     *       "value": "text",
                     *       "expiration": 1,
                     *       "byteSize": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CacheItem"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    deleteApplicationCacheItem: {
        parameters: {
            query?: {
                /** @description 1 to 512 bytes of UTF-8. */
                key?: string;
                /** @description Instead of `key`: all keys that begin so. */
                prefix?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deletedCount": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CacheDeletion"];
                };
            };
            /** @description There is no item with this key now. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listApplicationCacheKeys: {
        parameters: {
            query?: {
                /** @description Only keys that begin so. */
                prefix?: string;
                /** @description Keys a page. Default: 100. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key": "DATABASE_URL",
                     *           "expiration": 1,
                     *           "expiresAt": "2026-01-31T09:30:00.000Z",
                     *           "byteSize": 1
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["CacheKey"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getApplicationCacheStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": 1,
                     *       "bytes": 1,
                     *       "maxBytes": 1,
                     *       "hits": 1,
                     *       "misses": 1,
                     *       "evictions": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CacheStats"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setHostname: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "text"
                 *     }
                 */
                "application/json": {
                    /** @description Small letters, digits and inner hyphens. Capitals and blanks are mended. */
                    label: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "label": "text",
                     *       "hostname": "web.example.com",
                     *       "live": false
                     *     }
                     */
                    "application/json": components["schemas"]["ApplicationHostname"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkHostname: {
        parameters: {
            query: {
                /** @description Small letters, digits and inner hyphens. Capitals and blanks are mended. */
                label: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "available": false,
                     *       "reason": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["LabelAvailability"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listHostnames: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "hostname": "web.example.com",
                     *           "type": "DEPLOYMENT",
                     *           "active": false,
                     *           "deploymentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "branchId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "source": "system",
                     *           "createdAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text",
                     *       "label": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Hostname"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                        label: string | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setApplicationImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-ef8d-7073-8a93-9c920288e4cf",
                     *       "organizationId": "01a200c5-e6d9-7624-965f-2ec69fdf3bc4",
                     *       "name": "Pretty",
                     *       "slug": "pretty",
                     *       "imageUrl": "http://mainstay.test/application-images/01a200c5-efc6-7338-9a81-ef7dede3a929",
                     *       "rootDirectory": null,
                     *       "defaultEnvironmentSlug": "production",
                     *       "createdAt": "2026-11-22T01:01:41.645Z",
                     *       "updatedAt": "2026-11-22T01:01:41.702Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteApplicationImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-ef8d-7073-8a93-9c920288e4cf",
                     *       "organizationId": "01a200c5-e6d9-7624-965f-2ec69fdf3bc4",
                     *       "name": "Pretty",
                     *       "slug": "pretty",
                     *       "imageUrl": "http://mainstay.test/avatars/01a200c5-ef8d-7073-8a93-9c920288e4cf.svg",
                     *       "rootDirectory": null,
                     *       "defaultEnvironmentSlug": "production",
                     *       "createdAt": "2026-11-22T01:01:41.645Z",
                     *       "updatedAt": "2026-11-22T01:01:41.727Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listLogDrains: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production",
                     *           "type": "ndjson",
                     *           "url": "text",
                     *           "headerNames": [
                     *             "text"
                     *           ],
                     *           "enabled": false,
                     *           "status": "waiting",
                     *           "lastError": "text",
                     *           "lastDeliveredAt": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["LogDrain"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createLogDrain: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Production",
                 *       "type": "ndjson",
                 *       "url": "text",
                 *       "headers": {},
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name: string;
                    /**
                     * @description `ndjson` posts a request a line as JSON; `otlp` posts OpenTelemetry log records as JSON.
                     * @enum {string}
                     */
                    type: "ndjson" | "otlp";
                    /** @description http or https. May hold a key; shown without query. */
                    url: string;
                    /** @description Sent with each delivery, such as an Authorization. Their values are never shown again. */
                    headers?: {
                        [key: string]: string;
                    };
                    /** @default true */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "name": "Production",
                     *       "type": "ndjson",
                     *       "url": "text",
                     *       "headerNames": [
                     *         "text"
                     *       ],
                     *       "enabled": false,
                     *       "status": "waiting",
                     *       "lastError": "text",
                     *       "lastDeliveredAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LogDrain"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLogDrain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the drain. */
                drainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "name": "Production",
                     *       "type": "ndjson",
                     *       "url": "text",
                     *       "headerNames": [
                     *         "text"
                     *       ],
                     *       "enabled": false,
                     *       "status": "waiting",
                     *       "lastError": "text",
                     *       "lastDeliveredAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LogDrain"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteLogDrain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the drain. */
                drainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateLogDrain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the drain. */
                drainId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Production",
                 *       "url": "text",
                 *       "headers": {},
                 *       "enabled": false
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name?: string;
                    /** @description http or https. May hold a key; shown without query. */
                    url?: string;
                    /** @description Sent with each delivery, such as an Authorization. Their values are never shown again. */
                    headers?: {
                        [key: string]: string;
                    };
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "name": "Production",
                     *       "type": "ndjson",
                     *       "url": "text",
                     *       "headerNames": [
                     *         "text"
                     *       ],
                     *       "enabled": false,
                     *       "status": "waiting",
                     *       "lastError": "text",
                     *       "lastDeliveredAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LogDrain"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testLogDrain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the drain. */
                drainId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": false,
                     *       "status": 1,
                     *       "latencyMs": 1,
                     *       "error": "Nothing with this id is visible to this token."
                     *     }
                     */
                    "application/json": components["schemas"]["LogDrainTest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Id of a deployment. */
                deploymentId?: string;
                /** @description Id of a function of a deployment. */
                deploymentFunctionId?: string;
                /** @description Id of a static file of a deployment. */
                deploymentAssetId?: string;
                /** @description Id of a bucket. */
                storageBucketId?: string;
                /** @description Id of a stored object. */
                storageObjectId?: string;
                /** @description ISO 8601 time or date; inclusive. */
                from?: string;
                /** @description ISO 8601 time, or a date, which counts whole; inclusive. */
                to?: string;
                /** @description HTTP method. Several are separated by commas. */
                method?: string;
                /** @description HTTP status. Several are separated by commas. */
                status?: string;
                /** @description First digit of the status, such as 5 for 5xx. Several are separated by commas. */
                statusFamily?: string;
                /** @description Host that was asked. Several are separated by commas. */
                hostname?: string;
                /** @description What the path begins with, literally. */
                pathPrefix?: string;
                /** @description Country of the client, two letters. Several are separated by commas. */
                country?: string;
                /** @description Region that answered. Several are separated by commas. */
                region?: string;
                /** @description Edge location that answered. Several are separated by commas. */
                edgeLocation?: string;
                /** @description hit, miss, bypass, revalidated, stale or updating. Several are separated by commas. */
                cacheStatus?: string;
                /** @description Whether the answer came out of a cache. */
                cacheHit?: boolean;
                /** @description Whether the client is a program that fetches by itself. */
                bot?: boolean;
                /** @description Answers that took at least so long. */
                minDurationMs?: number;
                /** @description Text in the path or the error, whatever its case. */
                q?: string;
                /** @description Items a page; 100 unless given. */
                limit?: number;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200ca-9be9-72a1-8c1e-634bfdc1024c",
                     *           "application": {
                     *             "id": "01a200ca-9b18-72c6-8145-24b557ecf72d",
                     *             "name": "Web"
                     *           },
                     *           "deployment": {
                     *             "id": "01a200ca-9be9-729c-935f-d6f13704fdda",
                     *             "status": "ACTIVE"
                     *           },
                     *           "deploymentFunction": {
                     *             "id": "01a200ca-9be9-729d-abe4-3d1dbacb78d9",
                     *             "name": "api",
                     *             "path": "/api",
                     *             "region": "eu-1"
                     *           },
                     *           "deploymentAsset": {
                     *             "id": "01a200ca-9be9-729e-94ec-ed8bb9d7c8cd",
                     *             "path": "/logo.svg",
                     *             "objectKey": "assets/logo.svg"
                     *           },
                     *           "storageBucket": {
                     *             "id": "01a200ca-9be9-729f-aa77-d8438a8fff77",
                     *             "name": "files",
                     *             "slug": "files-1"
                     *           },
                     *           "storageObject": {
                     *             "id": "01a200ca-9be9-72a0-811e-3a0989d4cd96",
                     *             "key": "a.txt",
                     *             "contentType": null
                     *           },
                     *           "request": {
                     *             "method": "POST",
                     *             "hostname": "shop.example.com",
                     *             "path": "/shape",
                     *             "query": "a=1&access_token=[redacted]",
                     *             "protocol": "HTTP/1.1",
                     *             "country": null,
                     *             "userAgent": "curl/8",
                     *             "referer": "https://a.example/x#..."
                     *           },
                     *           "response": {
                     *             "status": 502,
                     *             "cacheStatus": "stale",
                     *             "cacheHit": true,
                     *             "region": "eu-1",
                     *             "edgeLocation": "FRA"
                     *           },
                     *           "metrics": {
                     *             "requestBodyBytes": 1,
                     *             "responseBodyBytes": 2,
                     *             "bytesSent": 3,
                     *             "durationMs": 4.5
                     *           },
                     *           "startedAt": "2026-11-22T01:06:47.913Z",
                     *           "completedAt": "2026-11-22T01:06:47.925Z",
                     *           "bot": true,
                     *           "error": "The function ended.",
                     *           "truncated": false,
                     *           "sampleWeight": 1
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["RequestLog"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                        /** @description Sent as true when there are more than `total`; exact up to 10 000. */
                        totalCapped?: boolean;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    exportRequests: {
        parameters: {
            query?: {
                /** @description Id of a deployment. */
                deploymentId?: string;
                /** @description Id of a function of a deployment. */
                deploymentFunctionId?: string;
                /** @description Id of a static file of a deployment. */
                deploymentAssetId?: string;
                /** @description Id of a bucket. */
                storageBucketId?: string;
                /** @description Id of a stored object. */
                storageObjectId?: string;
                /** @description ISO 8601 time or date; inclusive. */
                from?: string;
                /** @description ISO 8601 time, or a date, which counts whole; inclusive. */
                to?: string;
                /** @description HTTP method. Several are separated by commas. */
                method?: string;
                /** @description HTTP status. Several are separated by commas. */
                status?: string;
                /** @description First digit of the status, such as 5 for 5xx. Several are separated by commas. */
                statusFamily?: string;
                /** @description Host that was asked. Several are separated by commas. */
                hostname?: string;
                /** @description What the path begins with, literally. */
                pathPrefix?: string;
                /** @description Country of the client, two letters. Several are separated by commas. */
                country?: string;
                /** @description Region that answered. Several are separated by commas. */
                region?: string;
                /** @description Edge location that answered. Several are separated by commas. */
                edgeLocation?: string;
                /** @description hit, miss, bypass, revalidated, stale or updating. Several are separated by commas. */
                cacheStatus?: string;
                /** @description Whether the answer came out of a cache. */
                cacheHit?: boolean;
                /** @description Whether the client is a program that fetches by itself. */
                bot?: boolean;
                /** @description Answers that took at least so long. */
                minDurationMs?: number;
                /** @description Text in the path or the error, whatever its case. */
                q?: string;
                /** @description Lines at most; 1 000 000 unless given. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description application/x-ndjson */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/json": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getRequestStats: {
        parameters: {
            query?: {
                /** @description Id of a deployment. */
                deploymentId?: string;
                /** @description Id of a function of a deployment. */
                deploymentFunctionId?: string;
                /** @description Id of a static file of a deployment. */
                deploymentAssetId?: string;
                /** @description Id of a bucket. */
                storageBucketId?: string;
                /** @description Id of a stored object. */
                storageObjectId?: string;
                /** @description ISO 8601 time or date; inclusive. */
                from?: string;
                /** @description ISO 8601 time, or a date, which counts whole; inclusive. */
                to?: string;
                /** @description HTTP method. Several are separated by commas. */
                method?: string;
                /** @description HTTP status. Several are separated by commas. */
                status?: string;
                /** @description First digit of the status, such as 5 for 5xx. Several are separated by commas. */
                statusFamily?: string;
                /** @description Host that was asked. Several are separated by commas. */
                hostname?: string;
                /** @description What the path begins with, literally. */
                pathPrefix?: string;
                /** @description Country of the client, two letters. Several are separated by commas. */
                country?: string;
                /** @description Region that answered. Several are separated by commas. */
                region?: string;
                /** @description Edge location that answered. Several are separated by commas. */
                edgeLocation?: string;
                /** @description hit, miss, bypass, revalidated, stale or updating. Several are separated by commas. */
                cacheStatus?: string;
                /** @description Whether the answer came out of a cache. */
                cacheHit?: boolean;
                /** @description Whether the client is a program that fetches by itself. */
                bot?: boolean;
                /** @description Answers that took at least so long. */
                minDurationMs?: number;
                /** @description Text in the path or the error, whatever its case. */
                q?: string;
                /** @description Length of a step; chosen by the range unless given. */
                interval?: "auto" | "1m" | "5m" | "15m" | "1h" | "6h" | "1d";
                /** @description Rows of each list of commonest values; 10 unless given. */
                top?: number;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-02-10T00:00:00.000Z",
                     *       "to": "2026-02-10T23:59:59.999Z",
                     *       "intervalSeconds": 3600,
                     *       "total": {
                     *         "requests": 100,
                     *         "families": {
                     *           "1xx": 0,
                     *           "2xx": 90,
                     *           "3xx": 0,
                     *           "4xx": 0,
                     *           "5xx": 10,
                     *           "none": 0
                     *         },
                     *         "bytes": 1000,
                     *         "cacheHits": 50,
                     *         "dropped": 0,
                     *         "p50": 49.51,
                     *         "p95": 96.45,
                     *         "p99": 100.3,
                     *         "mean": 50.5
                     *       },
                     *       "series": [
                     *         {
                     *           "at": "2026-02-10T00:00:00.000Z",
                     *           "requests": 0,
                     *           "families": {
                     *             "1xx": 0,
                     *             "2xx": 0,
                     *             "3xx": 0,
                     *             "4xx": 0,
                     *             "5xx": 0,
                     *             "none": 0
                     *           },
                     *           "bytes": 0,
                     *           "cacheHits": 0,
                     *           "dropped": 0,
                     *           "p50": null,
                     *           "p95": null,
                     *           "p99": null,
                     *           "mean": null
                     *         },
                     *         {
                     *           "at": "2026-02-10T01:00:00.000Z",
                     *           "requests": 0,
                     *           "families": {
                     *             "1xx": 0,
                     *             "2xx": 0,
                     *             "3xx": 0,
                     *             "4xx": 0,
                     *             "5xx": 0,
                     *             "none": 0
                     *           },
                     *           "bytes": 0,
                     *           "cacheHits": 0,
                     *           "dropped": 0,
                     *           "p50": null,
                     *           "p95": null,
                     *           "p99": null,
                     *           "mean": null
                     *         }
                     *       ],
                     *       "top": {
                     *         "paths": [
                     *           {
                     *             "value": "/many",
                     *             "requests": 75,
                     *             "errors": 5,
                     *             "bytes": 750
                     *           },
                     *           {
                     *             "value": "/few",
                     *             "requests": 25,
                     *             "errors": 5,
                     *             "bytes": 250
                     *           }
                     *         ],
                     *         "hostnames": [
                     *           {
                     *             "value": "01a200ca-a099-73fc-8c6c-6e608d7e8720.example.com",
                     *             "requests": 100,
                     *             "errors": 10,
                     *             "bytes": 1000
                     *           }
                     *         ],
                     *         "countries": [
                     *           {
                     *             "value": null,
                     *             "requests": 100,
                     *             "errors": 10,
                     *             "bytes": 1000
                     *           }
                     *         ],
                     *         "referrers": [
                     *           {
                     *             "value": "news.example.com",
                     *             "requests": 100,
                     *             "errors": 10,
                     *             "bytes": 1000
                     *           }
                     *         ],
                     *         "agents": [
                     *           {
                     *             "value": "curl",
                     *             "requests": 100,
                     *             "errors": 10,
                     *             "bytes": 1000
                     *           }
                     *         ]
                     *       },
                     *       "topComplete": true
                     *     }
                     */
                    "application/json": components["schemas"]["RequestStats"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    streamRequests: {
        parameters: {
            query?: {
                /** @description Id of a deployment. */
                deploymentId?: string;
                /** @description Id of a function of a deployment. */
                deploymentFunctionId?: string;
                /** @description Id of a static file of a deployment. */
                deploymentAssetId?: string;
                /** @description Id of a bucket. */
                storageBucketId?: string;
                /** @description Id of a stored object. */
                storageObjectId?: string;
                /** @description ISO 8601 time or date; inclusive. */
                from?: string;
                /** @description ISO 8601 time, or a date, which counts whole; inclusive. */
                to?: string;
                /** @description HTTP method. Several are separated by commas. */
                method?: string;
                /** @description HTTP status. Several are separated by commas. */
                status?: string;
                /** @description First digit of the status, such as 5 for 5xx. Several are separated by commas. */
                statusFamily?: string;
                /** @description Host that was asked. Several are separated by commas. */
                hostname?: string;
                /** @description What the path begins with, literally. */
                pathPrefix?: string;
                /** @description Country of the client, two letters. Several are separated by commas. */
                country?: string;
                /** @description Region that answered. Several are separated by commas. */
                region?: string;
                /** @description Edge location that answered. Several are separated by commas. */
                edgeLocation?: string;
                /** @description hit, miss, bypass, revalidated, stale or updating. Several are separated by commas. */
                cacheStatus?: string;
                /** @description Whether the answer came out of a cache. */
                cacheHit?: boolean;
                /** @description Whether the client is a program that fetches by itself. */
                bot?: boolean;
                /** @description Answers that took at least so long. */
                minDurationMs?: number;
                /** @description Text in the path or the error, whatever its case. */
                q?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description text/event-stream */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/json": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Id of the request. */
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200ca-9be9-72a1-8c1e-634bfdc1024c",
                     *       "application": {
                     *         "id": "01a200ca-9b18-72c6-8145-24b557ecf72d",
                     *         "name": "Web"
                     *       },
                     *       "deployment": {
                     *         "id": "01a200ca-9be9-729c-935f-d6f13704fdda",
                     *         "status": "ACTIVE"
                     *       },
                     *       "deploymentFunction": {
                     *         "id": "01a200ca-9be9-729d-abe4-3d1dbacb78d9",
                     *         "name": "api",
                     *         "path": "/api",
                     *         "region": "eu-1"
                     *       },
                     *       "deploymentAsset": {
                     *         "id": "01a200ca-9be9-729e-94ec-ed8bb9d7c8cd",
                     *         "path": "/logo.svg",
                     *         "objectKey": "assets/logo.svg"
                     *       },
                     *       "storageBucket": {
                     *         "id": "01a200ca-9be9-729f-aa77-d8438a8fff77",
                     *         "name": "files",
                     *         "slug": "files-1"
                     *       },
                     *       "storageObject": {
                     *         "id": "01a200ca-9be9-72a0-811e-3a0989d4cd96",
                     *         "key": "a.txt",
                     *         "contentType": null
                     *       },
                     *       "request": {
                     *         "method": "POST",
                     *         "hostname": "shop.example.com",
                     *         "path": "/shape",
                     *         "query": "a=1&access_token=[redacted]",
                     *         "protocol": "HTTP/1.1",
                     *         "country": null,
                     *         "userAgent": "curl/8",
                     *         "referer": "https://a.example/x#..."
                     *       },
                     *       "response": {
                     *         "status": 502,
                     *         "cacheStatus": "stale",
                     *         "cacheHit": true,
                     *         "region": "eu-1",
                     *         "edgeLocation": "FRA"
                     *       },
                     *       "metrics": {
                     *         "requestBodyBytes": 1,
                     *         "responseBodyBytes": 2,
                     *         "bytesSent": 3,
                     *         "durationMs": 4.5
                     *       },
                     *       "startedAt": "2026-11-22T01:06:47.913Z",
                     *       "completedAt": "2026-11-22T01:06:47.925Z",
                     *       "bot": true,
                     *       "error": "The function ended.",
                     *       "truncated": false,
                     *       "sampleWeight": 1,
                     *       "requestHeaders": {
                     *         "referer": "https://a.example/x#...",
                     *         "user-agent": "curl/8",
                     *         "x-api-key": "[redacted]"
                     *       },
                     *       "responseHeaders": {
                     *         "content-length": "2",
                     *         "set-cookie": "[redacted]"
                     *       },
                     *       "clientAddress": "203.0.113.0",
                     *       "clientSubdivision": null
                     *     }
                     */
                    "application/json": components["schemas"]["RequestLogDetail"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    restoreApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "organizationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "name": "Production",
                     *       "slug": "production",
                     *       "imageUrl": "https://example.com/",
                     *       "rootDirectory": "text",
                     *       "defaultEnvironmentSlug": "text",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listStorageBuckets: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
                /** @description 100 when absent. */
                limit?: number;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200ca-bb12-779e-9220-0d81ea03b30b",
                     *           "applicationId": "01a200ca-b72c-733f-a7f5-d17d5e3fc545",
                     *           "name": "photos",
                     *           "slug": "photos-2",
                     *           "visibility": "private",
                     *           "cdnHostname": "photos-2.127.0.0.1:34573",
                     *           "environmentId": "01a200ca-b72c-7341-b1af-17f65a61912c",
                     *           "createdAt": "2026-11-22T01:06:55.890Z",
                     *           "updatedAt": "2026-11-22T01:06:55.890Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["StorageBucket"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createStorageBucket: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "photos",
                 *       "slug": "ignored-slug"
                 *     }
                 */
                "application/json": {
                    /** @description 3 to 63 lower-case letters, digits and inner hyphens. */
                    name: string;
                    /** @description Slug or id. */
                    environment?: string;
                    environmentId?: string;
                    /** @enum {string} */
                    visibility?: "public" | "private";
                    /** @description Ignored: the service chooses it. */
                    slug?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200ca-bacf-7012-be6d-f738846589b0",
                     *       "applicationId": "01a200ca-b72c-733f-a7f5-d17d5e3fc545",
                     *       "name": "photos",
                     *       "slug": "photos",
                     *       "visibility": "private",
                     *       "cdnHostname": "photos.127.0.0.1:34573",
                     *       "environmentId": "01a200ca-b72c-7340-8ad0-f26285ecec50",
                     *       "createdAt": "2026-11-22T01:06:55.823Z",
                     *       "updatedAt": "2026-11-22T01:06:55.823Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageBucket"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStorageBucket: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200ca-bacf-7012-be6d-f738846589b0",
                     *       "applicationId": "01a200ca-b72c-733f-a7f5-d17d5e3fc545",
                     *       "name": "photos",
                     *       "slug": "photos",
                     *       "visibility": "private",
                     *       "cdnHostname": "photos.127.0.0.1:34573",
                     *       "environmentId": "01a200ca-b72c-7340-8ad0-f26285ecec50",
                     *       "createdAt": "2026-11-22T01:06:55.823Z",
                     *       "updatedAt": "2026-11-22T01:06:55.823Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageBucket"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteStorageBucket: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
                /** @description Refuse when objects or trash are in it. */
                onlyIfEmpty?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listStorageObjects: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
                /** @description 100 when absent. */
                limit?: number;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
                /** @description Only keys that begin with it. */
                prefix?: string;
                /** @description "/" when absent: keys with it behind the prefix are grouped. Empty: every key. */
                delimiter?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "uploadSessionId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "key": "DATABASE_URL",
                     *           "contentType": "text",
                     *           "contentLength": 1,
                     *           "checksumSha1": "text",
                     *           "checksumSha256": "text",
                     *           "checksumMd5": "text",
                     *           "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "totalCapped": false,
                     *       "nextCursor": "text",
                     *       "commonPrefixes": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["StorageObject"][];
                        total: number;
                        /** @description There are more than `total`, which is counted up to 10 000. */
                        totalCapped?: boolean;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                        commonPrefixes: string[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    putStorageObject: {
        parameters: {
            query: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
                /** @description 1 to 1024 bytes of UTF-8. */
                key: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "uploadSessionId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "key": "DATABASE_URL",
                     *       "contentType": "text",
                     *       "contentLength": 1,
                     *       "checksumSha1": "text",
                     *       "checksumSha256": "text",
                     *       "checksumMd5": "text",
                     *       "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageObject"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStorageObject: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the object. */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "uploadSessionId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "key": "DATABASE_URL",
                     *       "contentType": "text",
                     *       "contentLength": 1,
                     *       "checksumSha1": "text",
                     *       "checksumSha256": "text",
                     *       "checksumMd5": "text",
                     *       "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageObject"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteStorageObject: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the object. */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Moved to the trash. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStorageObjectAccessUrl: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
                /** @description 3600 when absent. */
                expiresInSeconds?: number;
                /** @description The address answers with a file to be saved. */
                download?: boolean;
                /** @description Of a picture, made smaller. */
                width?: number;
                height?: number;
                fit?: "cover" | "contain" | "inside";
                format?: "webp" | "avif" | "jpeg" | "png";
                quality?: number;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the object. */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accessType": "public",
                     *       "url": "text",
                     *       "expiresAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageAccessUrl"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    copyStorageObject: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the object. */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "DATABASE_URL",
                 *       "bucket": "text"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 1024 bytes of UTF-8. */
                    key: string;
                    /** @description Name or id of the bucket. */
                    bucket?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "uploadSessionId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "key": "DATABASE_URL",
                     *       "contentType": "text",
                     *       "contentLength": 1,
                     *       "checksumSha1": "text",
                     *       "checksumSha256": "text",
                     *       "checksumMd5": "text",
                     *       "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageObject"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    moveStorageObject: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the object. */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "DATABASE_URL"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 1024 bytes of UTF-8. */
                    key: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "uploadSessionId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "key": "DATABASE_URL",
                     *       "contentType": "text",
                     *       "contentLength": 1,
                     *       "checksumSha1": "text",
                     *       "checksumSha256": "text",
                     *       "checksumMd5": "text",
                     *       "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageObject"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStorageObjectProperties: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the object. */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "key": "DATABASE_URL",
                     *       "etag": "text",
                     *       "contentType": "text",
                     *       "cacheControl": "text",
                     *       "contentDisposition": "text",
                     *       "contentEncoding": "text",
                     *       "contentLanguage": "text",
                     *       "metadata": {},
                     *       "tags": {}
                     *     }
                     */
                    "application/json": components["schemas"]["StorageObjectProperties"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateStorageObjectProperties: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the object. */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contentType": "text",
                 *       "cacheControl": "text",
                 *       "contentDisposition": "text",
                 *       "contentEncoding": "text",
                 *       "contentLanguage": "text",
                 *       "metadata": {},
                 *       "tags": {}
                 *     }
                 */
                "application/json": {
                    contentType?: string | null;
                    cacheControl?: string | null;
                    contentDisposition?: string | null;
                    contentEncoding?: string | null;
                    contentLanguage?: string | null;
                    metadata?: {
                        [key: string]: string;
                    };
                    tags?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "key": "DATABASE_URL",
                     *       "etag": "text",
                     *       "contentType": "text",
                     *       "cacheControl": "text",
                     *       "contentDisposition": "text",
                     *       "contentEncoding": "text",
                     *       "contentLanguage": "text",
                     *       "metadata": {},
                     *       "tags": {}
                     *     }
                     */
                    "application/json": components["schemas"]["StorageObjectProperties"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStorageBucketSettings: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "visibility": "public",
                     *       "versioning": "off",
                     *       "quotaBytes": 1,
                     *       "quotaObjects": 1,
                     *       "cacheControl": "text",
                     *       "cors": [
                     *         {
                     *           "allowedOrigins": [
                     *             "text"
                     *           ],
                     *           "allowedMethods": [
                     *             "GET"
                     *           ],
                     *           "allowedHeaders": [
                     *             "text"
                     *           ],
                     *           "exposeHeaders": [
                     *             "text"
                     *           ],
                     *           "maxAgeSeconds": 0
                     *         }
                     *       ],
                     *       "lifecycle": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "enabled": true,
                     *           "prefix": "text",
                     *           "expireAfterDays": 1,
                     *           "expireOldVersionsAfterDays": 1,
                     *           "keepOldVersions": 0,
                     *           "abortUploadsAfterDays": 1
                     *         }
                     *       ],
                     *       "webhookUrl": "text",
                     *       "usage": {
                     *         "objects": 1,
                     *         "bytes": 1,
                     *         "oldVersions": 1,
                     *         "oldVersionBytes": 1,
                     *         "trashedObjects": 1,
                     *         "trashedBytes": 1,
                     *         "openUploads": 1
                     *       },
                     *       "effectiveQuota": {
                     *         "bytes": 1,
                     *         "objects": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StorageBucketSettings"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateStorageBucketSettings: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "quotaBytes": 1000,
                 *       "quotaObjects": 3
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    visibility?: "public" | "private";
                    /** @enum {string} */
                    versioning?: "enabled" | "suspended";
                    quotaBytes?: number | null;
                    quotaObjects?: number | null;
                    cacheControl?: string | null;
                    cors?: components["schemas"]["StorageCorsRule"][];
                    lifecycle?: components["schemas"]["StorageLifecycleRule"][];
                    webhookUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "visibility": "private",
                     *       "versioning": "off",
                     *       "quotaBytes": 1000,
                     *       "quotaObjects": 3,
                     *       "cacheControl": null,
                     *       "cors": [],
                     *       "lifecycle": [],
                     *       "webhookUrl": null,
                     *       "usage": {
                     *         "objects": 0,
                     *         "bytes": 0,
                     *         "oldVersions": 0,
                     *         "oldVersionBytes": 0,
                     *         "trashedObjects": 0,
                     *         "trashedBytes": 0,
                     *         "openUploads": 0
                     *       },
                     *       "effectiveQuota": {
                     *         "bytes": 1000,
                     *         "objects": 3
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["StorageBucketSettings"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listStorageTrash: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
                /** @description 100 when absent. */
                limit?: number;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
                /** @description Only what begins so. */
                prefix?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "uploadSessionId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "key": "DATABASE_URL",
                     *           "contentType": "text",
                     *           "contentLength": 1,
                     *           "checksumSha1": "text",
                     *           "checksumSha256": "text",
                     *           "checksumMd5": "text",
                     *           "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z",
                     *           "deletedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "totalCapped": false,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["TrashedStorageObject"][];
                        total: number;
                        /** @description There are more than `total`, which is counted up to 10 000. */
                        totalCapped?: boolean;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    emptyStorageTrash: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "purgedCount": 1
                     *     }
                     */
                    "application/json": components["schemas"]["PurgedCount"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    purgeStorageObject: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the object. */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted for good. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    restoreStorageObject: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the object. */
                objectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "uploadSessionId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "key": "DATABASE_URL",
                     *       "contentType": "text",
                     *       "contentLength": 1,
                     *       "checksumSha1": "text",
                     *       "checksumSha256": "text",
                     *       "checksumMd5": "text",
                     *       "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageObject"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listStorageUploads: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
                /** @description 100 when absent. */
                limit?: number;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "key": "DATABASE_URL",
                     *           "contentType": "text",
                     *           "contentLength": 1,
                     *           "checksumSha1": "text",
                     *           "checksumSha256": "text",
                     *           "checksumMd5": "text",
                     *           "state": "pending",
                     *           "expiresAt": "2026-01-31T09:30:00.000Z",
                     *           "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "totalCapped": false,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["StorageUploadSession"][];
                        total: number;
                        /** @description There are more than `total`, which is counted up to 10 000. */
                        totalCapped?: boolean;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createStorageUpload: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "DATABASE_URL",
                 *       "contentLength": 0,
                 *       "checksumSha256": "text",
                 *       "contentType": "text",
                 *       "checksumSha1": "text",
                 *       "checksumMd5": "text"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 1024 bytes of UTF-8. */
                    key: string;
                    contentLength: number;
                    /** @description Lower-case hexadecimal. */
                    checksumSha256: string;
                    contentType?: string | null;
                    checksumSha1?: string | null;
                    checksumMd5?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session": {
                     *         "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "key": "DATABASE_URL",
                     *         "contentType": "text",
                     *         "contentLength": 1,
                     *         "checksumSha1": "text",
                     *         "checksumSha256": "text",
                     *         "checksumMd5": "text",
                     *         "state": "pending",
                     *         "expiresAt": "2026-01-31T09:30:00.000Z",
                     *         "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *         "createdAt": "2026-01-31T09:30:00.000Z",
                     *         "updatedAt": "2026-01-31T09:30:00.000Z"
                     *       },
                     *       "upload": {
                     *         "method": "PATCH",
                     *         "url": "text",
                     *         "headers": {},
                     *         "publicObjectUrl": "text"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedStorageUpload"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStorageUpload: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the upload. */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "key": "DATABASE_URL",
                     *       "contentType": "text",
                     *       "contentLength": 1,
                     *       "checksumSha1": "text",
                     *       "checksumSha256": "text",
                     *       "checksumMd5": "text",
                     *       "state": "pending",
                     *       "expiresAt": "2026-01-31T09:30:00.000Z",
                     *       "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageUploadSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    cancelStorageUpload: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the upload. */
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Canceled, or over already. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listStorageBucketUsage: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
                /** @description Day, UTC. 30 days back when absent. */
                from?: string;
                /** @description Day, UTC. Today when absent. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "day": "text",
                     *           "bytes": 1,
                     *           "objects": 1,
                     *           "requests": 1,
                     *           "bytesIn": 1,
                     *           "bytesOut": 1
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["StorageUsage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listStorageObjectVersions: {
        parameters: {
            query: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
                /** @description 100 when absent. */
                limit?: number;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
                /** @description 1 to 1024 bytes of UTF-8. */
                key: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "uploadSessionId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "key": "DATABASE_URL",
                     *           "contentType": "text",
                     *           "contentLength": 1,
                     *           "checksumSha1": "text",
                     *           "checksumSha256": "text",
                     *           "checksumMd5": "text",
                     *           "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z",
                     *           "isCurrent": false,
                     *           "isDeleteMarker": false
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "totalCapped": false,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["StorageObjectVersion"][];
                        total: number;
                        /** @description There are more than `total`, which is counted up to 10 000. */
                        totalCapped?: boolean;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteStorageObjectVersion: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the version. */
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted for good. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    restoreStorageObjectVersion: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
                /** @description Id of the version. */
                versionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "bucketId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "uploadSessionId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "key": "DATABASE_URL",
                     *       "contentType": "text",
                     *       "contentLength": 1,
                     *       "checksumSha1": "text",
                     *       "checksumSha256": "text",
                     *       "checksumMd5": "text",
                     *       "uploadedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageObject"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rotateStorageWebhookSecret: {
        parameters: {
            query?: {
                /** @description Slug or id. Absent: that of the token's deployment, else the application's default one. */
                environment?: string;
            };
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the application. */
                applicationId: string;
                /** @description Name or id of the bucket. */
                bucket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["StorageWebhookSecret"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    transferApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the application. */
                applicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organizationId": "01a29b44-bc60-758c-bab9-a7f9cd235a0e"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    organizationId: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a29b44-bc53-71bf-8732-428b0b12540b",
                     *       "organizationId": "01a29b44-bc60-758c-bab9-a7f9cd235a0e",
                     *       "name": "Mover",
                     *       "slug": "mover-2",
                     *       "imageUrl": "http://mainstay.test/avatars/01a29b44-bc53-71bf-8732-428b0b12540b.svg",
                     *       "rootDirectory": null,
                     *       "defaultEnvironmentSlug": "production",
                     *       "createdAt": "2026-12-22T01:01:42.867Z",
                     *       "updatedAt": "2026-12-22T01:01:42.982Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Application"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDeployments: {
        parameters: {
            query?: {
                /** @description Id of the organization. */
                organizationId?: string;
                /** @description Id of the application. */
                applicationId?: string;
                status?: "PENDING" | "QUEUED" | "STARTING" | "BUILDING" | "PROVISIONING" | "ACTIVE" | "FAILED";
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "environmentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "status": "PENDING",
                     *           "reason": "text",
                     *           "branch": "text",
                     *           "gitSha": "text",
                     *           "live": false,
                     *           "redeployOf": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "actorType": "text",
                     *           "actorId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "summary": {},
                     *           "activeAt": "2026-01-31T09:30:00.000Z",
                     *           "finishedAt": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text",
                     *       "totalCapped": false
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Deployment"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                        /** @description There are more than `total`. */
                        totalCapped?: boolean;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *       "environment": "text",
                 *       "branch": "text",
                 *       "prebuilt": false,
                 *       "gitSource": {
                 *         "ref": "text",
                 *         "sha": "text"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    applicationId: string;
                    /** @description Slug or id. */
                    environment?: string;
                    branch?: string;
                    /** @description The archive holds what is served: run no commands. */
                    prebuilt?: boolean;
                    gitSource?: {
                        ref: string;
                        sha?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "environmentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "status": "PENDING",
                     *       "reason": "text",
                     *       "branch": "text",
                     *       "gitSha": "text",
                     *       "live": false,
                     *       "redeployOf": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "actorType": "text",
                     *       "actorId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "summary": {},
                     *       "activeAt": "2026-01-31T09:30:00.000Z",
                     *       "finishedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "environmentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "status": "PENDING",
                     *       "reason": "text",
                     *       "branch": "text",
                     *       "gitSha": "text",
                     *       "live": false,
                     *       "redeployOf": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "actorType": "text",
                     *       "actorId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "summary": {},
                     *       "activeAt": "2026-01-31T09:30:00.000Z",
                     *       "finishedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    cancelDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "environmentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "status": "PENDING",
                     *       "reason": "text",
                     *       "branch": "text",
                     *       "gitSha": "text",
                     *       "live": false,
                     *       "redeployOf": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "actorType": "text",
                     *       "actorId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "summary": {},
                     *       "activeAt": "2026-01-31T09:30:00.000Z",
                     *       "finishedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDeploymentFiles: {
        parameters: {
            query?: {
                /** @description Only paths that contain this text. */
                query?: string;
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "path": "text",
                     *           "bytes": 0,
                     *           "type": "text",
                     *           "immutable": false,
                     *           "brotliBytes": 0,
                     *           "gzipBytes": 0
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["DeploymentFile"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDeploymentFunctions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production",
                     *           "runtime": "text",
                     *           "memoryMegabytes": 1,
                     *           "maxDurationSeconds": 1,
                     *           "schedule": "text",
                     *           "packageBytes": 0
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["DeploymentFunction"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDeploymentHostnames: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "hostname": "web.example.com",
                     *           "type": "DEPLOYMENT",
                     *           "active": false,
                     *           "deploymentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "branchId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "source": "system",
                     *           "createdAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Hostname"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getImageCache: {
        parameters: {
            query?: {
                /** @description A path or an address. */
                source?: string;
            };
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enabled": false,
                     *       "deploymentTag": "text",
                     *       "sourceTag": "text",
                     *       "policy": {}
                     *     }
                     */
                    "application/json": components["schemas"]["ImageCache"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    purgeImageCache: {
        parameters: {
            query?: {
                /** @description A path or an address. */
                source?: string;
            };
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "purged": true,
                     *       "tag": "text"
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        purged: true;
                        tag: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDeploymentLogs: {
        parameters: {
            query?: {
                offset?: number;
                limit?: number;
                "createdAt[gt]"?: string;
            };
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totalItems": 1,
                     *       "limit": 1,
                     *       "offset": 1,
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "message": "text",
                     *           "type": "INFO",
                     *           "createdAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        totalItems: number;
                        limit: number;
                        offset: number;
                        items: components["schemas"]["DeploymentLogLine"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    promoteDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "environmentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "status": "PENDING",
                     *       "reason": "text",
                     *       "branch": "text",
                     *       "gitSha": "text",
                     *       "live": false,
                     *       "redeployOf": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "actorType": "text",
                     *       "actorId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "summary": {},
                     *       "activeAt": "2026-01-31T09:30:00.000Z",
                     *       "finishedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    redeployDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "environmentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "status": "PENDING",
                     *       "reason": "text",
                     *       "branch": "text",
                     *       "gitSha": "text",
                     *       "live": false,
                     *       "redeployOf": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "actorType": "text",
                     *       "actorId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "summary": {},
                     *       "activeAt": "2026-01-31T09:30:00.000Z",
                     *       "finishedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    rollbackDeployment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "environmentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "status": "PENDING",
                     *       "reason": "text",
                     *       "branch": "text",
                     *       "gitSha": "text",
                     *       "live": false,
                     *       "redeployOf": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "actorType": "text",
                     *       "actorId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "summary": {},
                     *       "activeAt": "2026-01-31T09:30:00.000Z",
                     *       "finishedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDeploymentRoutes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "index": 1,
                     *           "source": "text",
                     *           "destination": "text"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["DeploymentRoute"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testDeploymentRoutes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "text",
                 *       "method": "GET",
                 *       "headers": {}
                 *     }
                 */
                "application/json": {
                    /** @description A path with its query, or a whole address: then its host counts too. */
                    url: string;
                    /** @default GET */
                    method?: string;
                    headers?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "file",
                     *       "route": 1,
                     *       "target": "text",
                     *       "status": 1,
                     *       "headers": {},
                     *       "steps": [
                     *         {
                     *           "route": 1,
                     *           "source": "text",
                     *           "result": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RouteVerdict"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    completeDeploymentUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "uploadId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *       "parts": [
                 *         {
                 *           "partNumber": 1,
                 *           "etag": "text"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    uploadId: string;
                    parts: {
                        partNumber: number;
                        etag: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "environmentId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "status": "PENDING",
                     *       "reason": "text",
                     *       "branch": "text",
                     *       "gitSha": "text",
                     *       "live": false,
                     *       "redeployOf": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "actorType": "text",
                     *       "actorId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "summary": {},
                     *       "activeAt": "2026-01-31T09:30:00.000Z",
                     *       "finishedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createDeploymentUploadPart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "uploadId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *       "partNumber": 1
                 *     }
                 */
                "application/json": {
                    uploadId: string;
                    partNumber: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "text"
                     *     }
                     */
                    "application/json": {
                        /** @description PUT the bytes here; no bearer. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    startDeploymentUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "uploadId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        uploadId: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listDeploymentVariables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the deployment. */
                deploymentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key": "DATABASE_URL",
                     *           "source": "organization",
                     *           "sensitive": false
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["DeploymentVariable"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCacheItem: {
        parameters: {
            query: {
                /** @description 1 to 512 bytes of UTF-8. */
                key: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "a/b",
                     *       "value": "a/b",
                     *       "expiration": 0,
                     *       "byteSize": 3
                     *     }
                     */
                    "application/json": components["schemas"]["CacheItem"];
                };
            };
            /** @description The item is still the one that If-None-Match names. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            412: components["responses"]["Error412"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setCacheItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "a/b",
                 *       "value": "a/b"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 512 bytes of UTF-8. */
                    key: string;
                    /** @description Text of up to 1 MiB of UTF-8; binary as base64, say. */
                    value: string;
                    /** @description Absent, null or 0: never. Up to 2592000 (30 days): seconds from now. Above: a Unix time in seconds; one that is past means at once. */
                    expiration?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "a/b",
                     *       "value": "a/b",
                     *       "expiration": 0,
                     *       "byteSize": 3
                     *     }
                     */
                    "application/json": components["schemas"]["CacheItem"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    deleteCacheItem: {
        parameters: {
            query?: {
                /** @description 1 to 512 bytes of UTF-8. */
                key?: string;
                /** @description Instead of `key`: all keys that begin so. */
                prefix?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deletedCount": 3
                     *     }
                     */
                    "application/json": components["schemas"]["CacheDeletion"];
                };
            };
            /** @description There is no item with this key now. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    batchCacheOperations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "operations": [
                 *         {
                 *           "op": "get",
                 *           "key": "k"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Done in this order. */
                    operations: ({
                        /** @enum {string} */
                        op: "get";
                        /** @description 1 to 512 bytes of UTF-8. */
                        key: string;
                    } | {
                        /** @enum {string} */
                        op: "set";
                        /** @description 1 to 512 bytes of UTF-8. */
                        key: string;
                        /** @description Text of up to 1 MiB of UTF-8; binary as base64, say. */
                        value: string;
                        /** @description Absent, null or 0: never. Up to 2592000 (30 days): seconds from now. Above: a Unix time in seconds; one that is past means at once. */
                        expiration?: number | null;
                        /** @description As the header If-Match: `*`, or entity tags. */
                        ifMatch?: string;
                        /** @description As the header If-None-Match: `*`, or entity tags. */
                        ifNoneMatch?: string;
                    } | {
                        /** @enum {string} */
                        op: "delete";
                        /** @description 1 to 512 bytes of UTF-8. */
                        key: string;
                        /** @description As the header If-Match: `*`, or entity tags. */
                        ifMatch?: string;
                        /** @description As the header If-None-Match: `*`, or entity tags. */
                        ifNoneMatch?: string;
                    } | {
                        /** @enum {string} */
                        op: "increment";
                        /** @description 1 to 512 bytes of UTF-8. */
                        key: string;
                        /** @description May be negative. */
                        by: number;
                        /** @description Absent, null or 0: never. Up to 2592000 (30 days): seconds from now. Above: a Unix time in seconds; one that is past means at once. */
                        expiration?: number | null;
                    })[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "status": 404,
                     *           "error": "There is no item with this key."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CacheBatch"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    incrementCacheItem: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "n",
                 *       "by": 5,
                 *       "expiration": 60
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 512 bytes of UTF-8. */
                    key: string;
                    /** @description May be negative. */
                    by: number;
                    /** @description Of the item that this makes; one that is there already keeps its own. As for a write. */
                    expiration?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "n",
                     *       "value": "5",
                     *       "expiration": 60,
                     *       "byteSize": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CacheItem"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    listCacheKeys: {
        parameters: {
            query?: {
                /** @description Only keys that begin so. */
                prefix?: string;
                /** @description Keys a page. Default: 100. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key": "a",
                     *           "expiration": 0,
                     *           "expiresAt": null,
                     *           "byteSize": 1
                     *         },
                     *         {
                     *           "key": "b:1",
                     *           "expiration": 0,
                     *           "expiresAt": null,
                     *           "byteSize": 3
                     *         }
                     *       ],
                     *       "total": 5
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["CacheKey"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCacheStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": 1,
                     *       "bytes": 164,
                     *       "maxBytes": 268435456,
                     *       "hits": 2,
                     *       "misses": 1,
                     *       "evictions": 0
                     *     }
                     */
                    "application/json": components["schemas"]["CacheStats"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPeopleOpenIdConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": components["schemas"]["PeopleDiscovery"];
                };
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAccountHistory: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only what this actor did. */
                actorId?: string;
                /** @description An action, or the beginning of some and an asterisk: `api_key.*`. */
                action?: string;
                /** @description Only changes of this kind of thing, such as `api_key`. */
                targetType?: string;
                /** @description Only changes of the thing with this id. */
                targetId?: string;
                /** @description Not before this moment. */
                from?: string;
                /** @description Before this moment. */
                to?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c6-5165-71dd-a196-05db9915249c",
                     *           "organizationId": null,
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "01a200c6-4e7b-750b-b9ae-5f5c2996fd6c"
                     *           },
                     *           "action": "user.profile_changed",
                     *           "target": {
                     *             "type": "user",
                     *             "id": "01a200c6-4e7b-750b-b9ae-5f5c2996fd6c"
                     *           },
                     *           "requestId": "lzcwpaRdcGJ3-1c",
                     *           "details": {
                     *             "name": "Another Name"
                     *           },
                     *           "createdAt": "2026-11-22T01:02:06.693Z"
                     *         },
                     *         {
                     *           "id": "01a200c6-5084-75c7-9e11-f4b48619aac9",
                     *           "organizationId": null,
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "01a200c6-4e7b-750b-b9ae-5f5c2996fd6c"
                     *           },
                     *           "action": "session.created",
                     *           "target": {
                     *             "type": "session",
                     *             "id": "01a200c6-5083-744a-bac1-c086e18b37d4"
                     *           },
                     *           "requestId": "lzcwpaRdcGJ3-1b",
                     *           "details": {},
                     *           "createdAt": "2026-11-22T01:02:06.468Z"
                     *         }
                     *       ],
                     *       "total": 3
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AuditRecord"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "newEmail": "stolen@example.com"
                 *     }
                 */
                "application/json": {
                    newEmail: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currentPassword": "...",
                 *       "newPassword": "..."
                 *     }
                 */
                "application/json": {
                    currentPassword: string;
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "text"
                 *     }
                 */
                "application/json": {
                    /** @description Needed by those who have one. */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listGrants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-eaf0-7744-b495-2e0913996ba4",
                     *           "client": {
                     *             "id": "mainstay-cli",
                     *             "name": "Mainstay command line",
                     *             "firstParty": true
                     *           },
                     *           "scopes": [
                     *             {
                     *               "scope": "openid",
                     *               "text": "Know who you are"
                     *             },
                     *             {
                     *               "scope": "offline_access",
                     *               "text": "Stay signed in until you revoke it"
                     *             }
                     *           ],
                     *           "createdAt": "2026-11-22T01:01:40.464Z",
                     *           "lastUsedAt": "2026-11-22T01:01:40.464Z",
                     *           "expiresAt": "2026-12-22T01:01:40.464Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Grant"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revokeGrant: {
        parameters: {
            query?: {
                /** @description True: the API keys that were made through it stay. */
                keepApiKeys?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the grant. */
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listGrantApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the grant. */
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-eaff-7226-b21d-4eb067b62d02",
                     *           "name": "program",
                     *           "organization": null,
                     *           "application": null,
                     *           "scopes": [
                     *             "platform:api_keys:write"
                     *           ],
                     *           "expiresAt": "2027-02-20T01:01:40.476Z",
                     *           "lastUsedAt": null,
                     *           "createdAt": "2026-11-22T01:01:40.479Z"
                     *         },
                     *         {
                     *           "id": "01a200c5-eb45-74a1-b002-c4f1a63ad995",
                     *           "name": "program",
                     *           "organization": null,
                     *           "application": null,
                     *           "scopes": [
                     *             "platform:api_keys:write"
                     *           ],
                     *           "expiresAt": "2027-02-20T01:01:40.476Z",
                     *           "lastUsedAt": null,
                     *           "createdAt": "2026-11-22T01:01:40.549Z"
                     *         }
                     *       ],
                     *       "total": 2
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["MadeKey"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    linkProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "callbackURL": "/organizations",
                 *       "errorCallbackURL": "/sign-in"
                 *     }
                 */
                "application/json": {
                    /** @description A path of this site, such as `/organizations`. */
                    callbackURL: string;
                    /** @description A path of this site, such as `/organizations`. */
                    errorCallbackURL?: string;
                    /** @description A path of this site, such as `/organizations`. */
                    newUserCallbackURL?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://example.com/authorize#..."
                     *     }
                     */
                    "application/json": components["schemas"]["ProviderRedirect"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    authorize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the page that asks the person, or back. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getConsent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "client": {
                     *         "id": "0195c11c-0000-7000-8000-000000000001",
                     *         "name": "Mainstay command line",
                     *         "firstParty": true
                     *       },
                     *       "redirectHost": "mainstay.test",
                     *       "scopes": [
                     *         {
                     *           "scope": "openid",
                     *           "text": "Know who you are"
                     *         },
                     *         {
                     *           "scope": "profile",
                     *           "text": "See your name and picture"
                     *         }
                     *       ],
                     *       "account": {
                     *         "id": "01a200c6-84fd-741a-be65-513a5ce46542",
                     *         "email": "granter@example.com",
                     *         "name": "Test Person"
                     *       },
                     *       "signInNeeded": false
                     *     }
                     */
                    "application/json": components["schemas"]["Consent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    decideConsent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "request": "client_id=mainstay-cli&redirect_uri=http%3A%2F%2F127.0.0.1%3A53682%2Fcallback&response_type=code&scope=openid+offline_access+platform%3Aorganizations%3Aread&cod...",
                 *       "approve": true
                 *     }
                 */
                "application/json": {
                    /** @description The query of the page, with or without `?`, unchanged. */
                    request: string;
                    approve: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "redirectTo": "https://example.com/callback#..."
                     *     }
                     */
                    "application/json": components["schemas"]["ConsentOutcome"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWaitingDevice: {
        parameters: {
            query: {
                /** @description The code that the device shows. */
                user_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "client": {
                     *         "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "name": "Production",
                     *         "firstParty": false
                     *       },
                     *       "scopes": [
                     *         {
                     *           "scope": "text",
                     *           "text": "text"
                     *         }
                     *       ],
                     *       "account": {
                     *         "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "email": "text",
                     *         "name": "Production"
                     *       },
                     *       "address": "text",
                     *       "userAgent": "text",
                     *       "requestedAt": "2026-01-31T09:30:00.000Z",
                     *       "expiresAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WaitingDevice"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    decideDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userCode": "DFQB-VFXB",
                 *       "approve": true
                 *     }
                 */
                "application/json": {
                    userCode: string;
                    approve: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "approved"
                     *     }
                     */
                    "application/json": components["schemas"]["DeviceOutcome"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createDeviceAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_id": "mainstay-cli",
                 *       "scope": "openid platform:api_keys:read platform:api_keys:write platform:api_keys:delete"
                 *     }
                 */
                "application/json": {
                    scope?: string;
                    /** @description Unless HTTP Basic is used. */
                    client_id?: string;
                    /** @description Of clients that have one, unless HTTP Basic is used. */
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "device_code": "mdc_GVXTJiHaK4pQKpRxESZ27s3HDpc0VwV23AhB2k1rIa4",
                     *       "user_code": "DFQB-VFXB",
                     *       "verification_uri": "http://mainstay.test/device",
                     *       "verification_uri_complete": "http://mainstay.test/device#...",
                     *       "expires_in": 900,
                     *       "interval": 5
                     *     }
                     */
                    "application/json": components["schemas"]["DeviceAuthorization"];
                };
            };
            /** @description The request was refused, in the shape of this protocol. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description A failure of the server, in the shape of this protocol. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    revokePersonToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "text",
                 *       "token_type_hint": "text",
                 *       "client_id": "text",
                 *       "client_secret": "text"
                 *     }
                 */
                "application/json": {
                    token: string;
                    token_type_hint?: string;
                    /** @description Unless HTTP Basic is used. */
                    client_id?: string;
                    /** @description Of clients that have one, unless HTTP Basic is used. */
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description The token is not believed any more, or never was. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request was refused, in the shape of this protocol. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description A failure of the server, in the shape of this protocol. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    createPersonToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_id": "mainstay-cli",
                 *       "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                 *       "device_code": "mdc_GVXTJiHaK4pQKpRxESZ27s3HDpc0VwV23AhB2k1rIa4"
                 *     }
                 */
                "application/json": {
                    /** @description `authorization_code` with `code`, `redirect_uri`, `code_verifier`; `refresh_token` with `refresh_token` and perhaps a narrower `scope`; `urn:ietf:params:oauth:grant-type:device_code` with `device_code`. */
                    grant_type: string;
                    code?: string;
                    redirect_uri?: string;
                    code_verifier?: string;
                    refresh_token?: string;
                    device_code?: string;
                    scope?: string;
                    /** @description Unless HTTP Basic is used. */
                    client_id?: string;
                    /** @description Of clients that have one, unless HTTP Basic is used. */
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_type": "Bearer",
                     *       "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl",
                     *       "expires_in": 300,
                     *       "scope": "openid platform:api_keys:read platform:api_keys:write platform:api_keys:delete",
                     *       "id_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl"
                     *     }
                     */
                    "application/json": components["schemas"]["PersonToken"];
                };
            };
            /** @description The request was refused, in the shape of this protocol. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description A failure of the server, in the shape of this protocol. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    getUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sub": "text",
                     *       "name": "Production",
                     *       "given_name": "text",
                     *       "family_name": "text",
                     *       "picture": "text",
                     *       "updated_at": 1,
                     *       "email": "text",
                     *       "email_verified": false
                     *     }
                     */
                    "application/json": components["schemas"]["UserInfo"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sub": "text",
                     *       "name": "Production",
                     *       "given_name": "text",
                     *       "family_name": "text",
                     *       "picture": "text",
                     *       "updated_at": 1,
                     *       "email": "text",
                     *       "email_verified": false
                     *     }
                     */
                    "application/json": components["schemas"]["UserInfo"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signUp": "open",
                     *       "mail": false,
                     *       "provider": {
                     *         "name": "Elsewhere"
                     *       },
                     *       "setup": false,
                     *       "password": {
                     *         "minLength": 8,
                     *         "maxLength": 256
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01a200c8-06bf-7542-8a3c-72028d8c5dea"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    id: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPasskeyChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For `PublicKeyCredential.parse…OptionsFromJSON()` of the browser. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rpId": "mainstay.test",
                     *       "challenge": "_6TzMbcvaz8Z9kkMEIwVrfMroWojAmgGwfkQwWwE5w0",
                     *       "timeout": 60000,
                     *       "userVerification": "preferred"
                     *     }
                     */
                    "application/json": unknown;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPasskeyRegistration: {
        parameters: {
            query?: {
                /** @description Its name. */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For `PublicKeyCredential.parse…OptionsFromJSON()` of the browser. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "challenge": "U0OSxaM1Uz7ZoCn7OEGr-iiyPsYA8jrG8XsudQggUjs",
                     *       "rp": {
                     *         "name": "Mainstay",
                     *         "id": "mainstay.test"
                     *       },
                     *       "user": {
                     *         "id": "b2lvY3pvamRmdHZkeWt3cWQ4N2FzMTFoYnFmaHh5dG4",
                     *         "name": "passkey@example.com",
                     *         "displayName": "passkey@example.com"
                     *       },
                     *       "pubKeyCredParams": [
                     *         {
                     *           "alg": -8,
                     *           "type": "public-key"
                     *         },
                     *         {
                     *           "alg": -7,
                     *           "type": "public-key"
                     *         }
                     *       ],
                     *       "timeout": 60000,
                     *       "attestation": "none",
                     *       "excludeCredentials": [],
                     *       "authenticatorSelection": {
                     *         "residentKey": "required",
                     *         "userVerification": "required",
                     *         "requireResidentKey": true
                     *       },
                     *       "extensions": {
                     *         "credProps": true
                     *       },
                     *       "hints": []
                     *     }
                     */
                    "application/json": unknown;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "01a200c8-06bf-7542-8a3c-72028d8c5dea",
                     *         "deviceType": "singleDevice",
                     *         "backedUp": false,
                     *         "createdAt": "2026-11-22T01:03:58.655Z",
                     *         "name": "Laptop",
                     *         "aaguid": "00000000-0000-0000-0000-000000000000"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Passkey"][];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "01a200c8-06bf-7542-8a3c-72028d8c5dea",
                 *       "name": "Phone"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    id: string;
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "passkey": {
                     *         "id": "01a200c8-06bf-7542-8a3c-72028d8c5dea",
                     *         "deviceType": "singleDevice",
                     *         "backedUp": false,
                     *         "createdAt": "2026-11-22T01:03:58.655Z",
                     *         "name": "Phone",
                     *         "aaguid": "00000000-0000-0000-0000-000000000000"
                     *       }
                     *     }
                     */
                    "application/json": {
                        passkey: components["schemas"]["Passkey"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response": {
                 *         "id": "Gr_lkhPQnIM5FuH3AFmxdw",
                 *         "rawId": "Gr_lkhPQnIM5FuH3AFmxdw",
                 *         "type": "public-key",
                 *         "clientExtensionResults": {},
                 *         "response": {
                 *           "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiXzZUek1iY3ZhejhaOWtrTUVJd1ZyZk1yb1dvakFtZ0d3ZmtRd1d3RTV3MCIsIm9yaWdpbiI6Imh0dHA6Ly9tYWluc3RheS50ZXN0IiwiY3Jvc3NP...",
                 *           "authenticatorData": "sAEMSNeVtAavQOWJZkwGIsL3_Zivy8lMi9jJ10RdBkcFAAAAAg",
                 *           "signature": "MEUCIH60CRrBrP0KAg21bdhN7a2gSZ7GFL4GMwo3aHn25FaPAiEAwC6j1fRMmgJ8u7FnEZxA8MrF_mpHz65gg3FOwNICgOI"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description `PublicKeyCredential.toJSON()` */
                    response: {
                        id: string;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "name": "Test Person",
                     *         "email": "passkey@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "createdAt": "2026-11-22T01:03:57.939Z",
                     *         "updatedAt": "2026-11-22T01:03:57.939Z",
                     *         "twoFactorEnabled": false,
                     *         "givenName": null,
                     *         "familyName": null,
                     *         "id": "01a200c8-03f3-73cb-97b2-18d0ad57844c"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response": {
                 *         "id": "Gr_lkhPQnIM5FuH3AFmxdw",
                 *         "rawId": "Gr_lkhPQnIM5FuH3AFmxdw",
                 *         "type": "public-key",
                 *         "clientExtensionResults": {},
                 *         "response": {
                 *           "clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiVTBPU3hhTTFVejdab0NuN09FR3ItaWl5UHNZQThqckc4WHN1ZFFnZ1VqcyIsIm9yaWdpbiI6Imh0dHA6Ly9tYWluc3RheS50ZXN0IiwiY3Jv...",
                 *           "attestationObject": "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViUsAEMSNeVtAavQOWJZkwGIsL3_Zivy8lMi9jJ10RdBkdFAAAAAQAAAAAAAAAAAAAAAAAAAAAAEBq_5ZIT0JyDORbh9wBZsXelAQIDJiABIVggP2z-GSdK1BK_...",
                 *           "transports": [
                 *             "internal"
                 *           ]
                 *         }
                 *       },
                 *       "name": "Laptop"
                 *     }
                 */
                "application/json": {
                    /** @description `PublicKeyCredential.toJSON()` */
                    response: {
                        id: string;
                    };
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c8-06bf-7542-8a3c-72028d8c5dea",
                     *       "deviceType": "singleDevice",
                     *       "backedUp": false,
                     *       "createdAt": "2026-11-22T01:03:58.655Z",
                     *       "name": "Laptop",
                     *       "aaguid": "00000000-0000-0000-0000-000000000000"
                     *     }
                     */
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    ratePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "..."
                 *     }
                 */
                "application/json": {
                    password: string;
                    email?: string;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "score": 4,
                     *       "acceptable": true,
                     *       "warning": null,
                     *       "suggestions": []
                     *     }
                     */
                    "application/json": components["schemas"]["PasswordStrength"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Another Name"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name?: string;
                    givenName?: string | null;
                    familyName?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c6-4e7b-750b-b9ae-5f5c2996fd6c",
                     *       "email": "history@example.com",
                     *       "emailVerified": false,
                     *       "name": "Another Name",
                     *       "givenName": null,
                     *       "familyName": null,
                     *       "imageUrl": null,
                     *       "operator": false,
                     *       "admitted": false,
                     *       "hasPassword": true,
                     *       "hasProvider": false,
                     *       "twoFactorEnabled": false,
                     *       "passkeys": 0,
                     *       "createdAt": "2026-11-22T01:02:05.947Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setProfileImage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c6-4a56-7766-8bff-60c3d3c77a5e",
                     *       "email": "picture@example.com",
                     *       "emailVerified": false,
                     *       "name": "Test Person",
                     *       "givenName": null,
                     *       "familyName": null,
                     *       "imageUrl": "http://mainstay.test/idp/pictures/01a200c6-4e1c-72f1-87bb-6d41e95d6dc2",
                     *       "operator": false,
                     *       "admitted": false,
                     *       "hasPassword": true,
                     *       "hasProvider": false,
                     *       "twoFactorEnabled": false,
                     *       "passkeys": 0,
                     *       "createdAt": "2026-11-22T01:02:04.886Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteProfileImage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c6-4a56-7766-8bff-60c3d3c77a5e",
                     *       "email": "picture@example.com",
                     *       "emailVerified": false,
                     *       "name": "Test Person",
                     *       "givenName": null,
                     *       "familyName": null,
                     *       "imageUrl": null,
                     *       "operator": false,
                     *       "admitted": false,
                     *       "hasPassword": true,
                     *       "hasProvider": false,
                     *       "twoFactorEnabled": false,
                     *       "passkeys": 0,
                     *       "createdAt": "2026-11-22T01:02:04.886Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Person"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "Forgetful@Example.com"
                 *     }
                 */
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "...",
                 *       "newPassword": "...",
                 *       "keepApiKeys": true
                 *     }
                 */
                "application/json": {
                    token: string;
                    newPassword: string;
                    /**
                     * @description True: the API keys that the person has made stay.
                     * @default false
                     */
                    keepApiKeys?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listResetApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "..."
                 *     }
                 */
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-e3ae-7168-b781-763df61a54a0",
                     *           "name": "made",
                     *           "organization": {
                     *             "id": "01a200c5-cbb0-73ef-8b3e-9ea334151276",
                     *             "name": "Acme"
                     *           },
                     *           "application": {
                     *             "id": "01a200c5-cbcc-76df-8945-cb97dab50eb7",
                     *             "name": "Web"
                     *           },
                     *           "scopes": [
                     *             "openid",
                     *             "platform:organizations:read"
                     *           ],
                     *           "expiresAt": "2027-02-20T01:01:38.605Z",
                     *           "lastUsedAt": null,
                     *           "createdAt": "2026-11-22T01:01:38.606Z"
                     *         },
                     *         {
                     *           "id": "01a200c5-e3b7-72b8-805a-584336f9beed",
                     *           "name": "made",
                     *           "organization": null,
                     *           "application": null,
                     *           "scopes": [
                     *             "openid",
                     *             "platform:organizations:read"
                     *           ],
                     *           "expiresAt": "2027-02-20T01:01:38.615Z",
                     *           "lastUsedAt": null,
                     *           "createdAt": "2026-11-22T01:01:38.615Z"
                     *         }
                     *       ],
                     *       "total": 2
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["MadeKey"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    sendVerificationMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "text"
                 *     }
                 */
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": false
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "01a200fc-c99a-73e0-837e-3307b2ab1a97",
                     *         "email": "admin@example.com",
                     *         "emailVerified": false,
                     *         "name": "Test Person",
                     *         "givenName": null,
                     *         "familyName": null,
                     *         "imageUrl": null,
                     *         "operator": false,
                     *         "admitted": false,
                     *         "hasPassword": true,
                     *         "hasProvider": false,
                     *         "twoFactorEnabled": false,
                     *         "passkeys": 0,
                     *         "createdAt": "2026-11-22T02:01:36.410Z"
                     *       },
                     *       "session": {
                     *         "id": "01a200fc-c99a-73e3-8aa2-7d602c681f5a",
                     *         "current": true,
                     *         "address": "127.0.0.1",
                     *         "userAgent": "node",
                     *         "createdAt": "2026-11-22T01:01:35.730Z",
                     *         "lastUsedAt": "2026-11-22T01:01:35.730Z",
                     *         "expiresAt": "2026-11-23T02:01:36.983Z",
                     *         "fresh": false
                     *       },
                     *       "scopes": [
                     *         "openid",
                     *         "platform:organizations:read"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CurrentSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c6-316e-76ca-92a7-0204d423f2f6",
                     *           "current": false,
                     *           "address": "127.0.0.1",
                     *           "userAgent": "node",
                     *           "createdAt": "2026-11-22T01:01:58.509Z",
                     *           "lastUsedAt": "2026-11-22T01:01:58.509Z",
                     *           "expiresAt": "2026-11-23T01:01:58.509Z"
                     *         },
                     *         {
                     *           "id": "01a200c6-2fa9-76f0-b3a2-a47d0bd29737",
                     *           "current": false,
                     *           "address": "127.0.0.1",
                     *           "userAgent": "node",
                     *           "createdAt": "2026-11-22T01:01:58.056Z",
                     *           "lastUsedAt": "2026-11-22T01:01:58.056Z",
                     *           "expiresAt": "2026-11-23T01:01:58.056Z"
                     *         }
                     *       ],
                     *       "total": 3
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["BrowserSession"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ended": 1
                     *     }
                     */
                    "application/json": components["schemas"]["EndedSessions"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSetup: {
        parameters: {
            query: {
                /** @description The token of the link. */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "usable": true
                     *     }
                     */
                    "application/json": components["schemas"]["SetupState"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "...",
                 *       "email": "a@example.com",
                 *       "password": "...",
                 *       "name": "First"
                 *     }
                 */
                "application/json": {
                    token: string;
                    email: string;
                    password: string;
                    /** @description 1 to 128 characters once trimmed. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "name": "First",
                     *         "email": "a@example.com",
                     *         "emailVerified": true,
                     *         "image": null,
                     *         "createdAt": "2026-11-22T01:02:51.563Z",
                     *         "updatedAt": "2026-11-22T01:02:51.563Z",
                     *         "twoFactorEnabled": false,
                     *         "givenName": null,
                     *         "familyName": null,
                     *         "id": "01a200c7-00ab-735e-9f4d-813a14f42b13"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "owner@example.com",
                 *       "password": "..."
                 *     }
                 */
                "application/json": {
                    email: string;
                    password: string;
                    /** @description False: signed out when the browser is closed, or after a day. */
                    rememberMe?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "name": "owner",
                     *         "email": "owner@example.com",
                     *         "emailVerified": true,
                     *         "image": null,
                     *         "createdAt": "2026-11-22T01:01:29.709Z",
                     *         "updatedAt": "2026-11-22T01:01:29.709Z",
                     *         "twoFactorEnabled": false,
                     *         "givenName": null,
                     *         "familyName": null,
                     *         "id": "01a200c5-c0ed-74bf-8468-53262ee1c1fd"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signInWithProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "callbackURL": "/organizations",
                 *       "errorCallbackURL": "/sign-in"
                 *     }
                 */
                "application/json": {
                    /** @description A path of this site, such as `/organizations`. */
                    callbackURL: string;
                    /** @description A path of this site, such as `/organizations`. */
                    errorCallbackURL?: string;
                    /** @description A path of this site, such as `/organizations`. */
                    newUserCallbackURL?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://example.com/authorize#..."
                     *     }
                     */
                    "application/json": components["schemas"]["ProviderRedirect"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "admin@example.com",
                 *       "password": "...",
                 *       "name": "Test Person"
                 *     }
                 */
                "application/json": {
                    email: string;
                    password: string;
                    /** @description 1 to 128 characters once trimmed. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": true,
                     *       "verification": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["SignedUp"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "..."
                 *     }
                 */
                "application/json": {
                    /** @description Needed by those who have one. */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    enableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "..."
                 *     }
                 */
                "application/json": {
                    /** @description Needed by those who have one. */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totpURI": "otpauth://totp/mainstay.test:everything-6%40example.com?secret=M5ETISRZGJLVA6TFKNUFGYSPIRUFIMDLOYYDSY2EJVPUSYLUPJEQ&issuer=mainstay.test&digits=6&period=30",
                     *       "backupCodes": [
                     *         "V1zRF-7tvkQ",
                     *         "Crdoa-JDyw9"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EnabledTwoFactor"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "..."
                 *     }
                 */
                "application/json": {
                    /** @description Needed by those who have one. */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "backupCodes": [
                     *         "HzpDD-tDvgj",
                     *         "P0JRN-FZwzs"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTotpUri: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "text"
                 *     }
                 */
                "application/json": {
                    /** @description Needed by those who have one. */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totpURI": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["TotpUri"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    useRecoveryCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "..."
                 *     }
                 */
                "application/json": {
                    code: string;
                    /** @description Ask for no second factor in this browser for 30 days. */
                    trustDevice?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "name": "Test Person",
                     *         "email": "recovery@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "createdAt": "2026-11-22T01:03:51.690Z",
                     *         "updatedAt": "2026-11-22T01:03:52.912Z",
                     *         "twoFactorEnabled": true,
                     *         "givenName": null,
                     *         "familyName": null,
                     *         "id": "01a200c7-eb8a-7447-8b3e-581062e6dc9f"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    verifyTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "321501"
                 *     }
                 */
                "application/json": {
                    code: string;
                    /** @description Ask for no second factor in this browser for 30 days. */
                    trustDevice?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "name": "Test Person",
                     *         "email": "everything-6@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "createdAt": "2026-11-22T01:02:04.723Z",
                     *         "updatedAt": "2026-11-22T01:02:04.723Z",
                     *         "twoFactorEnabled": false,
                     *         "givenName": null,
                     *         "familyName": null,
                     *         "id": "01a200c6-49b3-74aa-8eda-e5704db5f8b0"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInAnswer"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    unlinkProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "..."
                 *     }
                 */
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": components["schemas"]["AddressConfirmed"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getRuntimeCacheEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description What the framework keeps: pages and data, cached components, or nothing but a first read. */
                kind: "incremental" | "component" | "warmup";
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "value": null,
                     *       "tags": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RuntimeCacheEntry"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    putRuntimeCacheEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description What the framework keeps: pages and data, cached components, or nothing but a first read. */
                kind: "incremental" | "component" | "warmup";
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": null,
                 *       "tags": [
                 *         "text"
                 *       ]
                 *     }
                 */
                "application/json": {
                    value: unknown;
                    tags?: string[];
                };
            };
        };
        responses: {
            /** @description Stored. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getRuntimeCacheTagExpiration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "incremental",
                 *       "tags": [
                 *         "text"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description What the framework keeps: pages and data, cached components, or nothing but a first read.
                     * @enum {string}
                     */
                    kind?: "incremental" | "component" | "warmup";
                    tags: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "expiration": 1
                     *     }
                     */
                    "application/json": {
                        /** @description Milliseconds; 0: never. */
                        expiration: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    revalidateRuntimeCacheTags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "incremental",
                 *       "tags": [
                 *         "text"
                 *       ],
                 *       "durations": {
                 *         "expire": 0
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description What the framework keeps: pages and data, cached components, or nothing but a first read.
                     * @enum {string}
                     */
                    kind?: "incremental" | "component" | "warmup";
                    tags: string[];
                    /** @description Absent: what has the tags is not served any more. */
                    durations?: {
                        /** @description Seconds for which what is stale may still be served. */
                        expire?: number;
                    };
                };
            };
        };
        responses: {
            /** @description Revalidated. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            507: components["responses"]["Error507"];
        };
    };
    getRuntimeCacheTagState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "incremental",
                 *       "tags": [
                 *         "text"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description What the framework keeps: pages and data, cached components, or nothing but a first read.
                     * @enum {string}
                     */
                    kind?: "incremental" | "component" | "warmup";
                    tags: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "stale": 1,
                     *       "expired": 1
                     *     }
                     */
                    "application/json": {
                        /** @description Entries from before this moment are stale. Milliseconds; 0: never. */
                        stale: number;
                        /** @description Entries from before this moment are gone. */
                        expired: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "..."
                 *     }
                 */
                "application/json": {
                    /** @description The token of the link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organizationId": "01a200c8-2cf9-7393-88c5-c926ad58d25a",
                     *       "membershipId": "01a200c8-330f-7771-aff7-679411babeac",
                     *       "role": "ADMIN"
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    openInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "..."
                 *     }
                 */
                "application/json": {
                    /** @description The token of the link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization": {
                     *         "id": "01a200c8-2cf9-7393-88c5-c926ad58d25a",
                     *         "name": "Acme",
                     *         "imageUrl": "http://mainstay.test/avatars/01a200c8-2cf9-7393-88c5-c926ad58d25a.svg"
                     *       },
                     *       "email": "second@example.com",
                     *       "role": "ADMIN",
                     *       "expiresAt": "2026-11-29T01:04:09.955Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenInvitation"];
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    introspectToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl",
                 *       "client_id": "01a200c9-19ba-70db-82d5-ba8a2fca668c",
                 *       "client_secret": "mst_..."
                 *     }
                 */
                "application/json": {
                    token: string;
                    token_type_hint?: string;
                    /** @description The id of the API key, unless HTTP Basic is used. */
                    client_id?: string;
                    /** @description The secret of the API key, unless HTTP Basic is used. */
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "active": true,
                     *       "scope": "openid platform:organizations:read network:applications:read network:applications:write network:env_vars:read network:env_vars:write network:env_vars:delete net...",
                     *       "client_id": "01a200c9-19ba-70de-a6c5-b7d1a7c2d8c5",
                     *       "token_type": "Bearer",
                     *       "exp": 1795309809,
                     *       "iat": 1795309509,
                     *       "sub": "01a200c9-19b8-75d6-a7c0-2b9d81bfbae9",
                     *       "aud": "http://mainstay.test",
                     *       "iss": "http://mainstay.test",
                     *       "jti": "01a200c9-1ad9-7724-9520-9d73380b0cb3",
                     *       "actor_type": "application",
                     *       "organization_id": "01a200c9-19b7-76e3-9a2a-c3a18bdeb1bf",
                     *       "application_id": "01a200c9-19b8-75d6-a7c0-2b9d81bfbae9"
                     *     }
                     */
                    "application/json": components["schemas"]["Introspection"];
                };
            };
            /** @description The request was refused, in the shape of this protocol. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description A failure of the server, in the shape of this protocol. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "text",
                 *       "token_type_hint": "text",
                 *       "client_id": "text",
                 *       "client_secret": "text"
                 *     }
                 */
                "application/json": {
                    token: string;
                    token_type_hint?: string;
                    /** @description The id of the API key, unless HTTP Basic is used. */
                    client_id?: string;
                    /** @description The secret of the API key, unless HTTP Basic is used. */
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description The token is not believed any more, or never was. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request was refused, in the shape of this protocol. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description A failure of the server, in the shape of this protocol. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "client_credentials"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    grant_type: "client_credentials";
                    /** @description The id of the API key, unless HTTP Basic is used. */
                    client_id?: string;
                    /** @description The secret of the API key, unless HTTP Basic is used. */
                    client_secret?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_type": "Bearer",
                     *       "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl",
                     *       "expires_in": 300,
                     *       "scope": "openid platform:organizations:read platform:organizations:write platform:api_keys:read platform:api_keys:write platform:api_keys:delete network:applications:rea..."
                     *     }
                     */
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description The request was refused, in the shape of this protocol. */
            "4XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            /** @description A failure of the server, in the shape of this protocol. */
            "5XX": {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Nothing with this id is visible to this token.",
                     *       "error_description": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description The id of the last organization of the page before. */
                from?: string;
                /** @description The `nextCursor` of the page before; the same as `from`. */
                cursor?: string;
                /** @description Items a page. */
                limit?: number;
                /** @description Those that you own and can still restore, instead. */
                deleted?: boolean;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-9387-77ca-b481-5c83faf57cde",
                     *           "name": "Acme",
                     *           "slug": "acme",
                     *           "imageUrl": "http://mainstay.test/avatars/01a200c5-9387-77ca-b481-5c83faf57cde.svg",
                     *           "createdAt": "2026-11-22T01:01:18.087Z",
                     *           "updatedAt": "2026-11-22T01:01:18.087Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Organization"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Elsewhere"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name: string;
                    /** @description Small letters, digits and inner hyphens; unique. */
                    slug?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-ecce-7458-9ab5-11e21e489005",
                     *       "name": "Elsewhere",
                     *       "slug": "elsewhere",
                     *       "imageUrl": "http://mainstay.test/avatars/01a200c5-ecce-7458-9ab5-11e21e489005.svg",
                     *       "createdAt": "2026-11-22T01:01:40.942Z",
                     *       "updatedAt": "2026-11-22T01:01:40.942Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-9387-77ca-b481-5c83faf57cde",
                     *       "name": "Acme",
                     *       "slug": "acme",
                     *       "imageUrl": "http://mainstay.test/avatars/01a200c5-9387-77ca-b481-5c83faf57cde.svg",
                     *       "createdAt": "2026-11-22T01:01:18.087Z",
                     *       "updatedAt": "2026-11-22T01:01:18.087Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted, with its keys and tokens. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Lookers"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 128 characters once trimmed. */
                    name?: string;
                    /** @description Small letters, digits and inner hyphens; unique. */
                    slug?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-ed9d-778c-a93f-402f1d99c990",
                     *       "name": "Lookers",
                     *       "slug": "watchers",
                     *       "imageUrl": "http://mainstay.test/avatars/01a200c5-ed9d-778c-a93f-402f1d99c990.svg",
                     *       "createdAt": "2026-11-22T01:01:41.149Z",
                     *       "updatedAt": "2026-11-22T01:01:41.320Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAiAliases: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "aliases": [
                     *         {
                     *           "alias": "text",
                     *           "models": [
                     *             "text"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        aliases: {
                            alias: string;
                            /** @description Tried in this order. */
                            models: string[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    replaceAiAliases: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "aliases": [
                 *         {
                 *           "alias": "text",
                 *           "models": [
                 *             "text"
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    aliases: {
                        alias: string;
                        /** @description Tried in this order. */
                        models: string[];
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "aliases": [
                     *         {
                     *           "alias": "text",
                     *           "models": [
                     *             "text"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        aliases: {
                            alias: string;
                            /** @description Tried in this order. */
                            models: string[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAiBudgets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "organizationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "userId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "apiKeyId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "period": "day",
                     *           "maxCostMicros": 1,
                     *           "maxRequests": 1,
                     *           "maxTokens": 1,
                     *           "maxRequestCostMicros": 1,
                     *           "enabled": false,
                     *           "used": {
                     *             "costMicros": 1,
                     *             "requests": 1,
                     *             "tokens": 1
                     *           },
                     *           "windowStart": "2026-01-31T09:30:00.000Z",
                     *           "windowEnd": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AiBudget"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    replaceAiBudgets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "budgets": [
                 *         {
                 *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *           "userId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *           "apiKeyId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *           "period": "day",
                 *           "maxCostMicros": 0,
                 *           "maxRequests": 0,
                 *           "maxTokens": 0,
                 *           "maxRequestCostMicros": 0,
                 *           "enabled": false
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    budgets: {
                        applicationId?: string | null;
                        userId?: string | null;
                        apiKeyId?: string | null;
                        /**
                         * @description UTC days or calendar months; `month` when absent.
                         * @enum {string}
                         */
                        period?: "day" | "month";
                        maxCostMicros?: number | null;
                        maxRequests?: number | null;
                        maxTokens?: number | null;
                        maxRequestCostMicros?: number | null;
                        /** @description true when absent. */
                        enabled?: boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "organizationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "userId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "apiKeyId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "period": "day",
                     *           "maxCostMicros": 1,
                     *           "maxRequests": 1,
                     *           "maxTokens": 1,
                     *           "maxRequestCostMicros": 1,
                     *           "enabled": false,
                     *           "used": {
                     *             "costMicros": 1,
                     *             "requests": 1,
                     *             "tokens": 1
                     *           },
                     *           "windowStart": "2026-01-31T09:30:00.000Z",
                     *           "windowEnd": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AiBudget"][];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    explainAiRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "text",
                 *       "body": {},
                 *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *       "apiKeyId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091"
                 *     }
                 */
                "application/json": {
                    /** @description Such as `/chat/completions`, with or without `/ai/v1`. */
                    path: string;
                    /** @description As it would be sent. */
                    body: {
                        [key: string]: unknown;
                    };
                    applicationId?: string | null;
                    apiKeyId?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "model": "text",
                     *       "worstCaseMicros": 1,
                     *       "candidates": [
                     *         {
                     *           "provider": "text",
                     *           "model": "text",
                     *           "verdict": "chosen",
                     *           "rule": "text",
                     *           "reason": "text"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AiExplanation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAiPolicy: {
        parameters: {
            query?: {
                /** @description Id of the application. */
                applicationId?: string;
                /** @description Id of the API key. */
                apiKeyId?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy": {
                     *         "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "organizationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "apiKeyId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "allowedModels": [
                     *           "text"
                     *         ],
                     *         "allowedProviders": [
                     *           "text"
                     *         ],
                     *         "requireZdr": false,
                     *         "allowFallbacks": false,
                     *         "maxOutputTokens": 1,
                     *         "requestsPerMinute": 1,
                     *         "tokensPerMinute": 1,
                     *         "guardrails": [
                     *           {
                     *             "type": "pattern",
                     *             "pattern": "text",
                     *             "on": "request",
                     *             "action": "redact"
                     *           }
                     *         ],
                     *         "webhookUrl": "text",
                     *         "cacheTtlSeconds": 1,
                     *         "createdAt": "2026-01-31T09:30:00.000Z",
                     *         "updatedAt": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        policy: components["schemas"]["AiPolicy"] | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    replaceAiPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *       "apiKeyId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *       "allowedModels": [
                 *         "text"
                 *       ],
                 *       "allowedProviders": [
                 *         "text"
                 *       ],
                 *       "requireZdr": false,
                 *       "allowFallbacks": false,
                 *       "maxOutputTokens": 1,
                 *       "requestsPerMinute": 1,
                 *       "tokensPerMinute": 1,
                 *       "guardrails": [
                 *         {
                 *           "type": "pattern",
                 *           "pattern": "text",
                 *           "on": "request",
                 *           "action": "redact"
                 *         }
                 *       ],
                 *       "webhookUrl": "text",
                 *       "cacheTtlSeconds": 0
                 *     }
                 */
                "application/json": {
                    applicationId?: string | null;
                    apiKeyId?: string | null;
                    allowedModels?: string[] | null;
                    allowedProviders?: string[] | null;
                    requireZdr?: boolean | null;
                    allowFallbacks?: boolean | null;
                    maxOutputTokens?: number | null;
                    requestsPerMinute?: number | null;
                    tokensPerMinute?: number | null;
                    guardrails?: {
                        /**
                         * @description `card`: numbers of payment cards with a right check digit; `api_key`: keys of well-known makers, tokens, private keys.
                         * @enum {string}
                         */
                        type: "pattern" | "card" | "api_key" | "email";
                        /** @description For `pattern`: an expression in RE2 syntax, without look-around and back-references. */
                        pattern?: string;
                        /** @enum {string} */
                        on: "request" | "response" | "both";
                        /** @enum {string} */
                        action: "redact" | "refuse";
                    }[] | null;
                    webhookUrl?: string | null;
                    cacheTtlSeconds?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy": {
                     *         "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "organizationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "apiKeyId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *         "allowedModels": [
                     *           "text"
                     *         ],
                     *         "allowedProviders": [
                     *           "text"
                     *         ],
                     *         "requireZdr": false,
                     *         "allowFallbacks": false,
                     *         "maxOutputTokens": 1,
                     *         "requestsPerMinute": 1,
                     *         "tokensPerMinute": 1,
                     *         "guardrails": [
                     *           {
                     *             "type": "pattern",
                     *             "pattern": "text",
                     *             "on": "request",
                     *             "action": "redact"
                     *           }
                     *         ],
                     *         "webhookUrl": "text",
                     *         "cacheTtlSeconds": 1,
                     *         "createdAt": "2026-01-31T09:30:00.000Z",
                     *         "updatedAt": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        policy: components["schemas"]["AiPolicy"] | null;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAiProviders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "slug": "production",
                     *           "type": "openai",
                     *           "name": "Production",
                     *           "baseUrl": "text",
                     *           "zdr": false,
                     *           "priority": 1,
                     *           "enabled": false,
                     *           "allowPrivate": false,
                     *           "models": [
                     *             "text"
                     *           ],
                     *           "credentials": [
                     *             {
                     *               "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *               "name": "Production",
                     *               "hint": "text",
                     *               "weight": 1,
                     *               "enabled": false
                     *             }
                     *           ],
                     *           "readOnly": false,
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AiProvider"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createAiProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "slug": "production",
                 *       "type": "openai",
                 *       "name": "Production",
                 *       "baseUrl": "text",
                 *       "zdr": false,
                 *       "priority": -1000,
                 *       "enabled": false,
                 *       "models": [
                 *         "text"
                 *       ],
                 *       "credentials": [
                 *         {
                 *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *           "name": "Production",
                 *           "apiKey": "text",
                 *           "weight": 1,
                 *           "enabled": false
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Its name in model ids: `<slug>/<upstream id>`. */
                    slug: string;
                    /**
                     * @description How it is spoken to.
                     * @enum {string}
                     */
                    type: "openai" | "openai-compatible" | "azure" | "anthropic" | "gemini";
                    name?: string;
                    baseUrl?: string | null;
                    /** @description Zero data retention was agreed with it. */
                    zdr?: boolean;
                    /** @description Higher ones are tried first, default 0. */
                    priority?: number;
                    enabled?: boolean;
                    models?: string[] | null;
                    /** @description The whole set. One with an `id` keeps its key unless `apiKey` is sent. */
                    credentials?: {
                        /** Format: uuid */
                        id?: string;
                        name?: string;
                        /** @description Write-only. */
                        apiKey?: string;
                        /** @description Its share of the requests, default 1. */
                        weight?: number;
                        enabled?: boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "slug": "production",
                     *       "type": "openai",
                     *       "name": "Production",
                     *       "baseUrl": "text",
                     *       "zdr": false,
                     *       "priority": 1,
                     *       "enabled": false,
                     *       "allowPrivate": false,
                     *       "models": [
                     *         "text"
                     *       ],
                     *       "credentials": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production",
                     *           "hint": "text",
                     *           "weight": 1,
                     *           "enabled": false
                     *         }
                     *       ],
                     *       "readOnly": false,
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AiProvider"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteAiProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the provider. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateAiProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the provider. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Production",
                 *       "baseUrl": "text",
                 *       "zdr": false,
                 *       "priority": -1000,
                 *       "enabled": false,
                 *       "models": [
                 *         "text"
                 *       ],
                 *       "credentials": [
                 *         {
                 *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                 *           "name": "Production",
                 *           "apiKey": "text",
                 *           "weight": 1,
                 *           "enabled": false
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    name?: string;
                    baseUrl?: string | null;
                    /** @description Zero data retention was agreed with it. */
                    zdr?: boolean;
                    /** @description Higher ones are tried first, default 0. */
                    priority?: number;
                    enabled?: boolean;
                    models?: string[] | null;
                    /** @description The whole set. One with an `id` keeps its key unless `apiKey` is sent. */
                    credentials?: {
                        /** Format: uuid */
                        id?: string;
                        name?: string;
                        /** @description Write-only. */
                        apiKey?: string;
                        /** @description Its share of the requests, default 1. */
                        weight?: number;
                        enabled?: boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "slug": "production",
                     *       "type": "openai",
                     *       "name": "Production",
                     *       "baseUrl": "text",
                     *       "zdr": false,
                     *       "priority": 1,
                     *       "enabled": false,
                     *       "allowPrivate": false,
                     *       "models": [
                     *         "text"
                     *       ],
                     *       "credentials": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production",
                     *           "hint": "text",
                     *           "weight": 1,
                     *           "enabled": false
                     *         }
                     *       ],
                     *       "readOnly": false,
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AiProvider"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    testAiProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the provider. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": false,
                     *       "latencyMs": 1,
                     *       "models": [
                     *         "text"
                     *       ],
                     *       "error": "Nothing with this id is visible to this token."
                     *     }
                     */
                    "application/json": components["schemas"]["AiProviderTest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    exportAiUsage: {
        parameters: {
            query?: {
                /** @description ISO 8601, or a plain date (UTC): as `from` its beginning, as `to` its end. Inclusive. */
                from?: string;
                /** @description ISO 8601, or a plain date (UTC): as `from` its beginning, as `to` its end. Inclusive. */
                to?: string;
                /** @description Id of the application. */
                applicationId?: string;
                model?: string;
                provider?: string;
                status?: "pending" | "success" | "error" | "cancelled";
                /** @description Id of the request. */
                requestId?: string;
                /** @description Id of the authenticated user. */
                authenticatedUserId?: string;
                /** @description Id of the caller end user. */
                callerEndUserId?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV (RFC 4180). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/json": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAiUsageRequests: {
        parameters: {
            query?: {
                /** @description ISO 8601, or a plain date (UTC): as `from` its beginning, as `to` its end. Inclusive. */
                from?: string;
                /** @description ISO 8601, or a plain date (UTC): as `from` its beginning, as `to` its end. Inclusive. */
                to?: string;
                /** @description Id of the application. */
                applicationId?: string;
                model?: string;
                provider?: string;
                status?: "pending" | "success" | "error" | "cancelled";
                /** @description Id of the request. */
                requestId?: string;
                /** @description Id of the authenticated user. */
                authenticatedUserId?: string;
                /** @description Id of the caller end user. */
                callerEndUserId?: string;
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "requestId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "traceId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "billingSubjectType": "organization",
                     *           "organizationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "actorId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "actorType": "text",
                     *           "apiKeyId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "authenticatedUserId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "callerEndUserId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "modelRequested": "text",
                     *           "modelServed": "text",
                     *           "provider": "text",
                     *           "providerAttempts": [
                     *             {
                     *               "provider": "text",
                     *               "model": "text",
                     *               "error": "Nothing with this id is visible to this token.",
                     *               "statusCode": 1,
                     *               "tag": "text",
                     *               "startedMs": 1,
                     *               "durationMs": 1,
                     *               "firstTokenMs": 1
                     *             }
                     *           ],
                     *           "status": "pending",
                     *           "errorCode": "text",
                     *           "errorType": "text",
                     *           "inputTokens": 1,
                     *           "outputTokens": 1,
                     *           "cachedInputTokens": 1,
                     *           "totalTokens": 1,
                     *           "usageSource": "provider",
                     *           "providerCostMicros": 1,
                     *           "billableCostMicros": 1,
                     *           "streaming": false,
                     *           "latencyMs": 1,
                     *           "metadata": {},
                     *           "startedAt": "2026-01-31T09:30:00.000Z",
                     *           "completedAt": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z",
                     *           "updatedAt": "2026-01-31T09:30:00.000Z",
                     *           "path": "text",
                     *           "pricing": "list",
                     *           "unitPrices": {},
                     *           "cacheHit": false,
                     *           "cacheWriteTokens": 1,
                     *           "reasoningTokens": 1,
                     *           "firstTokenMs": 1,
                     *           "costNanos": 1
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "totalCapped": false,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AiUsageEvent"][];
                        /** @description Exact up to 10 000. */
                        total: number;
                        totalCapped?: boolean;
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAiUsageRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the event. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "requestId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "traceId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "billingSubjectType": "organization",
                     *       "organizationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "applicationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "actorId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "actorType": "text",
                     *       "apiKeyId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "authenticatedUserId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "callerEndUserId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "modelRequested": "text",
                     *       "modelServed": "text",
                     *       "provider": "text",
                     *       "providerAttempts": [
                     *         {
                     *           "provider": "text",
                     *           "model": "text",
                     *           "error": "Nothing with this id is visible to this token.",
                     *           "statusCode": 1,
                     *           "tag": "text",
                     *           "startedMs": 1,
                     *           "durationMs": 1,
                     *           "firstTokenMs": 1
                     *         }
                     *       ],
                     *       "status": "pending",
                     *       "errorCode": "text",
                     *       "errorType": "text",
                     *       "inputTokens": 1,
                     *       "outputTokens": 1,
                     *       "cachedInputTokens": 1,
                     *       "totalTokens": 1,
                     *       "usageSource": "provider",
                     *       "providerCostMicros": 1,
                     *       "billableCostMicros": 1,
                     *       "streaming": false,
                     *       "latencyMs": 1,
                     *       "metadata": {},
                     *       "startedAt": "2026-01-31T09:30:00.000Z",
                     *       "completedAt": "2026-01-31T09:30:00.000Z",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z",
                     *       "path": "text",
                     *       "pricing": "list",
                     *       "unitPrices": {},
                     *       "cacheHit": false,
                     *       "cacheWriteTokens": 1,
                     *       "reasoningTokens": 1,
                     *       "firstTokenMs": 1,
                     *       "costNanos": 1
                     *     }
                     */
                    "application/json": components["schemas"]["AiUsageEvent"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAiUsageSeries: {
        parameters: {
            query?: {
                /** @description ISO 8601, or a plain date (UTC): as `from` its beginning, as `to` its end. Inclusive. */
                from?: string;
                /** @description ISO 8601, or a plain date (UTC): as `from` its beginning, as `to` its end. Inclusive. */
                to?: string;
                /** @description Id of the application. */
                applicationId?: string;
                /** @description An hour for up to 7 days, else a day, when absent. */
                interval?: "hour" | "day";
                groupBy?: "model" | "provider" | "application" | "user";
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "interval": "hour",
                     *       "items": [
                     *         {
                     *           "start": "2026-01-31T09:30:00.000Z",
                     *           "label": "text",
                     *           "requests": 1,
                     *           "errors": 1,
                     *           "inputTokens": 1,
                     *           "outputTokens": 1,
                     *           "costMicros": 1,
                     *           "avgLatencyMs": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AiUsageSeries"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAiUsageSummary: {
        parameters: {
            query?: {
                /** @description ISO 8601, or a plain date (UTC): as `from` its beginning, as `to` its end. Inclusive. */
                from?: string;
                /** @description ISO 8601, or a plain date (UTC): as `from` its beginning, as `to` its end. Inclusive. */
                to?: string;
                /** @description Id of the application. */
                applicationId?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "summary": {
                     *         "requestCount": 1,
                     *         "successCount": 1,
                     *         "errorCount": 1,
                     *         "inputTokens": 1,
                     *         "outputTokens": 1,
                     *         "totalTokens": 1,
                     *         "billableCostMicros": 1,
                     *         "avgLatencyMs": 1
                     *       },
                     *       "byModel": [
                     *         {
                     *           "label": "text",
                     *           "requests": 1,
                     *           "tokens": 1,
                     *           "inputTokens": 1,
                     *           "outputTokens": 1,
                     *           "costMicros": 1
                     *         }
                     *       ],
                     *       "byProvider": [
                     *         {
                     *           "label": "text",
                     *           "requests": 1,
                     *           "tokens": 1,
                     *           "inputTokens": 1,
                     *           "outputTokens": 1,
                     *           "costMicros": 1
                     *         }
                     *       ],
                     *       "byApplication": [
                     *         {
                     *           "label": "text",
                     *           "requests": 1,
                     *           "tokens": 1,
                     *           "inputTokens": 1,
                     *           "outputTokens": 1,
                     *           "costMicros": 1
                     *         }
                     *       ],
                     *       "byUser": [
                     *         {
                     *           "label": "text",
                     *           "requests": 1,
                     *           "tokens": 1,
                     *           "inputTokens": 1,
                     *           "outputTokens": 1,
                     *           "costMicros": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AiUsageSummary"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Only what this actor did. */
                actorId?: string;
                /** @description An action, or the beginning of some and an asterisk: `api_key.*`. */
                action?: string;
                /** @description Only changes of this kind of thing, such as `api_key`. */
                targetType?: string;
                /** @description Only changes of the thing with this id. */
                targetId?: string;
                /** @description Not before this moment. */
                from?: string;
                /** @description Before this moment. */
                to?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-ef25-7320-9f82-858c54850508",
                     *           "organizationId": "01a200c5-e6d9-7624-965f-2ec69fdf3bc4",
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "01a200c5-e6d9-7622-98cc-c8a6daa19098"
                     *           },
                     *           "action": "application.changed",
                     *           "target": {
                     *             "type": "application",
                     *             "id": "01a200c5-eef6-7766-94a0-07a519dc9593"
                     *           },
                     *           "requestId": "Vmp9oonVC2gj-1m",
                     *           "details": {
                     *             "from": {
                     *               "name": "Before",
                     *               "slug": "before",
                     *               "root_directory": "apps/web",
                     *               "default_environment_slug": "production"
                     *             },
                     *             "to": {
                     *               "name": "After",
                     *               "slug": "after",
                     *               "root_directory": null,
                     *               "default_environment_slug": "preview"
                     *             }
                     *           },
                     *           "createdAt": "2026-11-22T01:01:41.541Z"
                     *         },
                     *         {
                     *           "id": "01a200c5-ef13-722d-b620-63f4191db974",
                     *           "organizationId": "01a200c5-e6d9-7624-965f-2ec69fdf3bc4",
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "01a200c5-e6d9-7622-98cc-c8a6daa19098"
                     *           },
                     *           "action": "application.created",
                     *           "target": {
                     *             "type": "application",
                     *             "id": "01a200c5-eef6-7766-94a0-07a519dc9593"
                     *           },
                     *           "requestId": "Vmp9oonVC2gj-1l",
                     *           "details": {
                     *             "name": "Before",
                     *             "slug": "before"
                     *           },
                     *           "createdAt": "2026-11-22T01:01:41.523Z"
                     *         }
                     *       ],
                     *       "total": 2
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["AuditRecord"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAuditLogFacets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the latest 10,000 records can be filtered by. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "actions": [
                     *         "text"
                     *       ],
                     *       "targetTypes": [
                     *         "text"
                     *       ],
                     *       "actors": [
                     *         {
                     *           "type": "text",
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "name": "Production"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditFacets"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listOrganizationEnvVars: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Replace references to other variables in values. */
                resolve?: boolean;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c9-a2c1-7034-941a-e959678532bf",
                     *           "key": "PLAIN",
                     *           "value": "hello",
                     *           "sensitive": false,
                     *           "scope": "organization",
                     *           "environmentId": null,
                     *           "environmentName": null,
                     *           "createdAt": "2026-11-22T01:05:44.129Z",
                     *           "updatedAt": "2026-11-22T01:05:44.129Z"
                     *         },
                     *         {
                     *           "id": "01a200c9-a2ed-729e-99e8-170553c2e816",
                     *           "key": "SECRET",
                     *           "value": null,
                     *           "sensitive": true,
                     *           "scope": "organization",
                     *           "environmentId": null,
                     *           "environmentName": null,
                     *           "createdAt": "2026-11-22T01:05:44.173Z",
                     *           "updatedAt": "2026-11-22T01:05:44.215Z"
                     *         }
                     *       ],
                     *       "total": 2
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["EnvVar"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createOrganizationEnvVar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "A",
                 *       "value": "A of organization"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 255 characters, no "=", no control characters. */
                    key: string;
                    /** @description At most 64 KiB of UTF-8. */
                    value: string;
                    /** @description Never shown again by any response. */
                    sensitive?: boolean;
                    /** @enum {string} */
                    scope?: "organization";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c9-8c9c-76cc-9ae4-2948840441c5",
                     *       "key": "A",
                     *       "value": "A of organization",
                     *       "sensitive": false,
                     *       "scope": "organization",
                     *       "environmentId": null,
                     *       "environmentName": null,
                     *       "createdAt": "2026-11-22T01:05:38.460Z",
                     *       "updatedAt": "2026-11-22T01:05:38.460Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EnvVar"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    exportOrganizationEnvVars: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description text/plain, dotenv syntax. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "application/json": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    importOrganizationEnvVars: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "A=1",
                 *       "sensitive": false,
                 *       "overwrite": true
                 *     }
                 */
                "application/json": {
                    /** @description Variables in dotenv syntax. */
                    content: string;
                    /**
                     * @description Whether new ones become sensitive.
                     * @default false
                     */
                    sensitive?: boolean;
                    /**
                     * @description When false, a key that exists is a conflict and nothing is imported.
                     * @default true
                     */
                    overwrite?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": 1,
                     *       "updated": 0,
                     *       "unchanged": 0
                     *     }
                     */
                    "application/json": components["schemas"]["EnvVarImport"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    resolveOrganizationEnvVars: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "key": "TOKEN",
                     *           "value": null,
                     *           "source": "organization",
                     *           "sensitive": true
                     *         },
                     *         {
                     *           "key": "AUTH",
                     *           "value": null,
                     *           "source": "organization",
                     *           "sensitive": true
                     *         }
                     *       ],
                     *       "total": 9,
                     *       "omittedSensitive": 2
                     *     }
                     */
                    "application/json": components["schemas"]["ResolvedEnvVars"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteOrganizationEnvVar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the env var. */
                envVarId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateOrganizationEnvVar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the env var. */
                envVarId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "still"
                 *     }
                 */
                "application/json": {
                    /** @description 1 to 255 characters, no "=", no control characters. */
                    key?: string;
                    /** @description At most 64 KiB of UTF-8. */
                    value?: string;
                    /** @description Never shown again by any response. */
                    sensitive?: boolean;
                    /** @enum {string} */
                    scope?: "organization";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c9-8d50-747f-85f0-d1ff6f13b1f9",
                     *       "key": "ROUND",
                     *       "value": "still",
                     *       "sensitive": false,
                     *       "scope": "organization",
                     *       "environmentId": null,
                     *       "environmentName": null,
                     *       "createdAt": "2026-11-22T01:05:38.640Z",
                     *       "updatedAt": "2026-11-22T01:05:38.658Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EnvVar"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            412: components["responses"]["Error412"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listOrganizationEnvVarVersions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the env var. */
                envVarId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "version": 3,
                     *           "key": "HISTORY_2",
                     *           "value": "two",
                     *           "sensitive": false,
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "01a200c9-a08a-7577-a66e-1df0b5800472"
                     *           },
                     *           "createdAt": "2026-11-22T01:05:44.568Z"
                     *         },
                     *         {
                     *           "version": 2,
                     *           "key": "HISTORY",
                     *           "value": "two",
                     *           "sensitive": false,
                     *           "actor": {
                     *             "type": "user",
                     *             "id": "01a200c9-a08a-7577-a66e-1df0b5800472"
                     *           },
                     *           "createdAt": "2026-11-22T01:05:44.565Z"
                     *         }
                     *       ],
                     *       "total": 3
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["EnvVarVersion"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    restoreOrganizationEnvVarVersion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the env var. */
                envVarId: string;
                /** @description Number of the version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c9-a472-776b-9418-b6d962a0d119",
                     *       "key": "HISTORY",
                     *       "value": "one",
                     *       "sensitive": false,
                     *       "scope": "organization",
                     *       "environmentId": null,
                     *       "environmentName": null,
                     *       "createdAt": "2026-11-22T01:05:44.562Z",
                     *       "updatedAt": "2026-11-22T01:05:44.576Z"
                     *     }
                     */
                    "application/json": components["schemas"]["EnvVar"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    setOrganizationImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c8-5840-7371-a5ac-19f90c9dadb6",
                     *       "name": "Pictured",
                     *       "slug": "pictured",
                     *       "imageUrl": "http://mainstay.test/images/01a200c8-5850-705c-84c9-d587ea66e7d5",
                     *       "createdAt": "2026-11-22T01:04:19.520Z",
                     *       "updatedAt": "2026-11-22T01:04:19.536Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteOrganizationImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c8-5840-7371-a5ac-19f90c9dadb6",
                     *       "name": "Pictured",
                     *       "slug": "pictured",
                     *       "imageUrl": "http://mainstay.test/avatars/01a200c8-5840-7371-a5ac-19f90c9dadb6.svg",
                     *       "createdAt": "2026-11-22T01:04:19.520Z",
                     *       "updatedAt": "2026-11-22T01:04:19.667Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "organizationId": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *           "email": "mary@example.com",
                     *           "role": "OWNER",
                     *           "expiresAt": "2026-01-31T09:30:00.000Z",
                     *           "createdAt": "2026-01-31T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "nextCursor": "text"
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Invitation"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "o@example.net",
                 *       "role": "OWNER"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    email: string;
                    /**
                     * @default MEMBER
                     * @enum {string}
                     */
                    role?: "OWNER" | "ADMIN" | "MEMBER";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200c5-d0f5-711f-b32a-d39f722cb267",
                     *       "organizationId": "01a200c5-c0ed-74c1-9d41-e2cb318f898d",
                     *       "email": "o@example.net",
                     *       "role": "OWNER",
                     *       "expiresAt": "2026-11-29T01:01:33.813Z",
                     *       "createdAt": "2026-11-22T01:01:33.813Z",
                     *       "sent": false,
                     *       "url": "http://mainstay.test/invitation#..."
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the invitation. */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It cannot be accepted any more. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listOrganizationMembers: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "membershipId": "01a200c5-c0ed-74c2-b319-abe0279f6bea",
                     *           "organizationId": "01a200c5-c0ed-74c1-9d41-e2cb318f898d",
                     *           "userId": "01a200c5-c0ed-74bf-8468-53262ee1c1fd",
                     *           "email": "owner@example.com",
                     *           "givenName": null,
                     *           "familyName": null,
                     *           "imageUrl": null,
                     *           "role": "OWNER",
                     *           "joinedAt": "2026-11-22T01:01:29.709Z"
                     *         },
                     *         {
                     *           "membershipId": "01a200c5-ca83-72cb-856f-86a08dd3b84f",
                     *           "organizationId": "01a200c5-c0ed-74c1-9d41-e2cb318f898d",
                     *           "userId": "01a200c5-ca76-7625-a0c1-1231935120eb",
                     *           "email": "climber@example.net",
                     *           "givenName": null,
                     *           "familyName": null,
                     *           "imageUrl": null,
                     *           "role": "MEMBER",
                     *           "joinedAt": "2026-11-22T01:01:32.163Z"
                     *         }
                     *       ],
                     *       "total": 2
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["Member"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    removeOrganizationMember: {
        parameters: {
            query?: {
                /** @description True: the API keys that were made through it stay. */
                keepApiKeys?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the membership. */
                membershipId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Not a member any more. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateOrganizationMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the membership. */
                membershipId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "OWNER"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    role: "OWNER" | "ADMIN" | "MEMBER";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "membershipId": "01a200c5-ca83-72cb-856f-86a08dd3b84f",
                     *       "organizationId": "01a200c5-c0ed-74c1-9d41-e2cb318f898d",
                     *       "userId": "01a200c5-ca76-7625-a0c1-1231935120eb",
                     *       "email": "climber@example.net",
                     *       "givenName": null,
                     *       "familyName": null,
                     *       "imageUrl": null,
                     *       "role": "OWNER",
                     *       "joinedAt": "2026-11-22T01:01:32.163Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listOrganizationMemberApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the membership. */
                membershipId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200c5-dc87-728f-b43d-7cefd2b334eb",
                     *           "name": "made",
                     *           "organization": {
                     *             "id": "01a200c5-cbb0-73ef-8b3e-9ea334151276",
                     *             "name": "Acme"
                     *           },
                     *           "application": {
                     *             "id": "01a200c5-cbcc-76df-8945-cb97dab50eb7",
                     *             "name": "Web"
                     *           },
                     *           "scopes": [
                     *             "openid",
                     *             "platform:organizations:read"
                     *           ],
                     *           "expiresAt": "2027-02-20T01:01:36.774Z",
                     *           "lastUsedAt": null,
                     *           "createdAt": "2026-11-22T01:01:36.775Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["MadeKey"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": "OWNER",
                     *       "operations": [
                     *         "text"
                     *       ],
                     *       "applicationOperations": [
                     *         "text"
                     *       ],
                     *       "products": [
                     *         "text"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Permissions"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listOrganizationProducts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "product": {
                     *             "slug": "env-vars",
                     *             "displayName": "Environment variables",
                     *             "accessMode": "organization",
                     *             "defaultAccessPolicy": "granted",
                     *             "plans": []
                     *           },
                     *           "hasAccess": true,
                     *           "resolutionSource": "default",
                     *           "explicitEntitlement": null,
                     *           "subscription": null
                     *         },
                     *         {
                     *           "product": {
                     *             "slug": "fastcache",
                     *             "displayName": "Key-value cache",
                     *             "accessMode": "organization",
                     *             "defaultAccessPolicy": "granted",
                     *             "plans": []
                     *           },
                     *           "hasAccess": true,
                     *           "resolutionSource": "default",
                     *           "explicitEntitlement": null,
                     *           "subscription": null
                     *         }
                     *       ],
                     *       "total": 7
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ProductAccess"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getOrganizationProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Slug of the product. */
                product: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product": {
                     *         "slug": "fastcache",
                     *         "displayName": "Key-value cache",
                     *         "accessMode": "organization",
                     *         "defaultAccessPolicy": "granted",
                     *         "plans": []
                     *       },
                     *       "hasAccess": false,
                     *       "resolutionSource": "explicit",
                     *       "explicitEntitlement": {
                     *         "id": "01a200c8-84ad-76da-897e-769398229710",
                     *         "product": "fastcache",
                     *         "status": "SUSPENDED",
                     *         "grantedByUserId": "01a200c8-7da9-73ca-9725-533ed7e5e226",
                     *         "revokedAt": null,
                     *         "createdAt": "2026-11-22T01:04:30.893Z",
                     *         "updatedAt": "2026-11-22T01:04:30.893Z"
                     *       },
                     *       "subscription": null
                     *     }
                     */
                    "application/json": components["schemas"]["ProductAccess"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    checkOrganizationProductEntitlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Slug of the product. */
                product: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organizationId": "01a200c8-7da9-73cc-9188-b9d9f60d0b7e",
                     *       "product": "whois",
                     *       "hasAccess": false
                     *     }
                     */
                    "application/json": components["schemas"]["EntitlementCheck"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    restoreOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f2a4-7c1e-7b3a-9f00-4c5d6e7f8091",
                     *       "name": "Production",
                     *       "slug": "production",
                     *       "imageUrl": "https://example.com/",
                     *       "createdAt": "2026-01-31T09:30:00.000Z",
                     *       "updatedAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description Up to now. */
                range?: "24h" | "7d" | "30d";
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "range": "24h",
                     *       "from": "2026-01-31T09:30:00.000Z",
                     *       "pointSeconds": 1,
                     *       "counters": {
                     *         "requests": [
                     *           1
                     *         ],
                     *         "clientErrors": [
                     *           1
                     *         ],
                     *         "serverErrors": [
                     *           1
                     *         ],
                     *         "tokensIssued": [
                     *           1
                     *         ],
                     *         "cacheHits": [
                     *           1
                     *         ],
                     *         "cacheMisses": [
                     *           1
                     *         ]
                     *       },
                     *       "totals": {
                     *         "requests": 1,
                     *         "clientErrors": 1,
                     *         "serverErrors": 1,
                     *         "tokensIssued": 1,
                     *         "cacheHits": 1,
                     *         "cacheMisses": 1
                     *       },
                     *       "previous": {
                     *         "requests": 1,
                     *         "clientErrors": 1,
                     *         "serverErrors": 1,
                     *         "tokensIssued": 1,
                     *         "cacheHits": 1,
                     *         "cacheMisses": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listReputationOverrides: {
        parameters: {
            query?: {
                /** @description Items a page. */
                limit?: number;
                /** @description The `nextCursor` of the page before. */
                cursor?: string;
                /** @description Another name of `limit`. */
                perPage?: number;
                /** @description 1 is the first page; for others send `cursor`. */
                page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "01a200cb-3b81-711f-ac56-cad82d7820c3",
                     *           "domain": "bad.both.example",
                     *           "action": "block",
                     *           "status": "phishing",
                     *           "note": null,
                     *           "createdAt": "2026-11-22T01:07:28.769Z",
                     *           "updatedAt": "2026-11-22T01:07:28.769Z"
                     *         },
                     *         {
                     *           "id": "01a200cb-3908-7283-b1f9-b94fa54314d1",
                     *           "domain": "blocked.example",
                     *           "action": "block",
                     *           "status": "spam",
                     *           "note": "sends us rubbish",
                     *           "createdAt": "2026-11-22T01:07:28.136Z",
                     *           "updatedAt": "2026-11-22T01:07:28.136Z"
                     *         }
                     *       ],
                     *       "total": 7
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ReputationOverride"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createReputationOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, 1 to 255 visible ASCII characters: sent again within a day, the work is not done again and the answer is the first one. */
                "idempotency-key"?: string;
            };
            path: {
                /** @description Id of the organization. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "domain": "Blocked.Example.",
                 *       "action": "block",
                 *       "note": "sends us rubbish"
                 *     }
                 */
                "application/json": {
                    domain: string;
                    /** @enum {string} */
                    action: "block" | "allow";
                    /**
                     * @description What to answer: for a block one that is withheld (spam when absent), else neutral or relay_email.
                     * @enum {string}
                     */
                    status?: "neutral" | "adult_content" | "phishing" | "spam" | "disposable_email" | "relay_email" | "piracy" | "malware" | "tracker" | "squat";
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200cb-3908-7283-b1f9-b94fa54314d1",
                     *       "domain": "blocked.example",
                     *       "action": "block",
                     *       "status": "spam",
                     *       "note": "sends us rubbish",
                     *       "createdAt": "2026-11-22T01:07:28.136Z",
                     *       "updatedAt": "2026-11-22T01:07:28.136Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ReputationOverride"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteReputationOverride: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the override. */
                overrideId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    updateReputationOverride: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization. */
                organizationId: string;
                /** @description Id of the override. */
                overrideId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "really"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    action?: "block" | "allow";
                    /**
                     * @description What to answer: for a block one that is withheld (spam when absent), else neutral or relay_email.
                     * @enum {string}
                     */
                    status?: "neutral" | "adult_content" | "phishing" | "spam" | "disposable_email" | "relay_email" | "piracy" | "malware" | "tracker" | "squat";
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01a200cb-3bcc-740d-a2df-a244325e0c49",
                     *       "domain": "change.example",
                     *       "action": "block",
                     *       "status": "phishing",
                     *       "note": "really",
                     *       "createdAt": "2026-11-22T01:07:28.844Z",
                     *       "updatedAt": "2026-11-22T01:07:28.850Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ReputationOverride"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createPreviewAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hostname": "web.example.com",
                 *       "to": "text",
                 *       "state": "text"
                 *     }
                 */
                "application/json": {
                    /** @description Of the protected deployment, with its port. */
                    hostname: string;
                    /** @description The path that the visitor wanted. */
                    to?: string;
                    state: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "text"
                     *     }
                     */
                    "application/json": {
                        /** @description Where the browser goes on. It works once, in the browser that asked. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "text"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["Error400"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    createStickySessionUrl: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "DATABASE_URL",
                 *       "endpoint": "text",
                 *       "method": "GET",
                 *       "expiresInSeconds": 14400
                 *     }
                 */
                "application/json": {
                    /** @description Requests with the same key reach the same process. */
                    key: string;
                    /** @description A path of the deployment. */
                    endpoint: string;
                    /**
                     * @default GET
                     * @enum {string}
                     */
                    method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                    /** @default 14400 */
                    expiresInSeconds?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "text",
                     *       "expiresAt": "2026-01-31T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        url: string;
                        /**
                         * Format: date-time
                         * @description ISO 8601, UTC, milliseconds.
                         */
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDomainReputation: {
        parameters: {
            query: {
                /** @description The organization whose overrides hold; that of the token when left out. For users, who have none. */
                organizationId?: string;
                /** @description 1 to 5 domains, in Unicode or punycode; repeat the parameter. */
                domain: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "domain": "example.com",
                     *         "status": "neutral",
                     *         "withholdingRecommended": false,
                     *         "isMxRecordAvailable": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DomainReputation"][];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    explainDomainReputation: {
        parameters: {
            query: {
                /** @description The organization whose overrides hold; that of the token when left out. For users, who have none. */
                organizationId?: string;
                /** @description 1 to 5 domains, in Unicode or punycode; repeat the parameter. */
                domain: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "domain": "x.mailinator.com",
                     *         "status": "disposable_email",
                     *         "withholdingRecommended": true,
                     *         "source": "feed",
                     *         "override": null,
                     *         "listed": {
                     *           "name": "mailinator.com",
                     *           "feeds": [
                     *             {
                     *               "feed": "disposable-names",
                     *               "status": "disposable_email",
                     *               "since": "2026-11-22"
                     *             },
                     *             {
                     *               "feed": "disposable-wildcards",
                     *               "status": "disposable_email",
                     *               "since": "2026-11-22"
                     *             }
                     *           ]
                     *         },
                     *         "imitates": null
                     *       },
                     *       {
                     *         "domain": "paypa1.com",
                     *         "status": "squat",
                     *         "withholdingRecommended": true,
                     *         "source": "squat",
                     *         "override": null,
                     *         "listed": null,
                     *         "imitates": {
                     *           "domain": "paypal.com",
                     *           "technique": "homoglyph"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DomainExplanation"][];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getEmailReputation: {
        parameters: {
            query: {
                /** @description The organization whose overrides hold; that of the token when left out. For users, who have none. */
                organizationId?: string;
                /** @description 1 to 5 addresses; repeat the parameter. */
                email: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "email": "a@example.com",
                     *         "role": false,
                     *         "domain": {
                     *           "domain": "example.com",
                     *           "status": "neutral",
                     *           "withholdingRecommended": false,
                     *           "mxRecordAvailable": true
                     *         },
                     *         "validations": {
                     *           "valid": true,
                     *           "validators": {
                     *             "regex": {
                     *               "valid": true
                     *             },
                     *             "typo": {
                     *               "valid": true
                     *             },
                     *             "mx": {
                     *               "valid": true
                     *             }
                     *           }
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["EmailReputation"][];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    suggestEmail: {
        parameters: {
            query: {
                /** @description The organization whose overrides hold; that of the token when left out. For users, who have none. */
                organizationId?: string;
                /** @description 1 to 5 addresses; repeat the parameter. */
                email: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "email": "jane@gmial.com",
                     *         "suggestion": "jane@gmail.com"
                     *       },
                     *       {
                     *         "email": "jane@gmail.com",
                     *         "suggestion": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["EmailSuggestion"][];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    listReputationFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "relay-services",
                     *           "status": "relay_email",
                     *           "format": "plain",
                     *           "source": {
                     *             "type": "file",
                     *             "name": "relay.txt"
                     *           },
                     *           "licence": "Apache-2.0",
                     *           "homepage": null,
                     *           "refreshSeconds": null,
                     *           "names": 54,
                     *           "refused": {
                     *             "malformed": 0,
                     *             "suffix": 0,
                     *             "private": 0,
                     *             "genuine": 0
                     *           },
                     *           "checkedAt": "2026-11-22T01:07:02.278Z",
                     *           "fetchedAt": "2026-11-22T01:07:02.278Z",
                     *           "changedAt": "2026-11-22T01:07:02.278Z",
                     *           "error": null
                     *         },
                     *         {
                     *           "id": "disposable-names",
                     *           "status": "disposable_email",
                     *           "format": "json",
                     *           "source": {
                     *             "type": "package",
                     *             "name": "disposable-email-domains"
                     *           },
                     *           "licence": "MIT",
                     *           "homepage": "https://github.com/ivolo/disposable-email-domains",
                     *           "refreshSeconds": null,
                     *           "names": 121522,
                     *           "refused": {
                     *             "malformed": 0,
                     *             "suffix": 26,
                     *             "private": 0,
                     *             "genuine": 7
                     *           },
                     *           "checkedAt": "2026-11-22T01:07:02.278Z",
                     *           "fetchedAt": "2026-11-22T01:07:02.278Z",
                     *           "changedAt": "2026-11-22T01:07:02.278Z",
                     *           "error": null
                     *         }
                     *       ],
                     *       "total": 19
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["ReputationFeed"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDomainAvailability: {
        parameters: {
            query: {
                /** @description Repeat it for further names, 20 at most. */
                domain: string[] | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "domain": "free.rdap",
                     *           "status": "free",
                     *           "source": "rdap"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        items: components["schemas"]["DomainAvailability"][];
                        /** @description How many there are in all, whatever the page. */
                        total: number;
                        /** @description Sent while more remain: the cursor of the next page. */
                        nextCursor?: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    getWhoisOfDomain: {
        parameters: {
            query: {
                /** @description A domain name in Unicode or punycode. A subdomain yields the record of its root domain. */
                domain: string;
                /** @description The WHOIS text instead of the record. */
                raw?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record, or the text. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": {
                     *         "name": "example.rdap",
                     *         "id": null,
                     *         "status": [
                     *           "ok"
                     *         ],
                     *         "created": "2001-02-03T00:00:00.000Z",
                     *         "updated": null,
                     *         "expires": "2090-01-01T00:00:00.000Z"
                     *       },
                     *       "registrar": {
                     *         "name": null,
                     *         "url": null,
                     *         "whoisServer": null,
                     *         "email": null,
                     *         "phone": null,
                     *         "ianaId": null
                     *       },
                     *       "registrant": {
                     *         "name": "Jane Doe",
                     *         "organization": null,
                     *         "street": null,
                     *         "city": null,
                     *         "state": null,
                     *         "postalCode": null,
                     *         "country": "GB",
                     *         "phone": null,
                     *         "phoneExt": null,
                     *         "fax": null,
                     *         "faxExt": null,
                     *         "email": null
                     *       },
                     *       "admin": {
                     *         "name": null,
                     *         "organization": null,
                     *         "street": null,
                     *         "city": null,
                     *         "state": null,
                     *         "postalCode": null,
                     *         "country": null,
                     *         "phone": null,
                     *         "phoneExt": null,
                     *         "fax": null,
                     *         "faxExt": null,
                     *         "email": null
                     *       },
                     *       "tech": {
                     *         "name": null,
                     *         "organization": null,
                     *         "street": null,
                     *         "city": null,
                     *         "state": null,
                     *         "postalCode": null,
                     *         "country": null,
                     *         "phone": null,
                     *         "phoneExt": null,
                     *         "fax": null,
                     *         "faxExt": null,
                     *         "email": null
                     *       },
                     *       "billing": {
                     *         "name": null,
                     *         "organization": null,
                     *         "street": null,
                     *         "city": null,
                     *         "state": null,
                     *         "postalCode": null,
                     *         "country": null,
                     *         "phone": null,
                     *         "phoneExt": null,
                     *         "fax": null,
                     *         "faxExt": null,
                     *         "email": null
                     *       },
                     *       "nameservers": [],
                     *       "dnssec": null
                     *     }
                     */
                    "application/json": components["schemas"]["WhoisRecord"];
                    "text/plain": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
}

export type AcceptedInvitation = components['schemas']['AcceptedInvitation'];
export type AddressConfirmed = components['schemas']['AddressConfirmed'];
export type AdminOrganization = components['schemas']['AdminOrganization'];
export type AdminUser = components['schemas']['AdminUser'];
export type AiBudget = components['schemas']['AiBudget'];
export type AiCatalogueModel = components['schemas']['AiCatalogueModel'];
export type AiError = components['schemas']['AiError'];
export type AiExplanation = components['schemas']['AiExplanation'];
export type AiModel = components['schemas']['AiModel'];
export type AiPolicy = components['schemas']['AiPolicy'];
export type AiProvider = components['schemas']['AiProvider'];
export type AiProviderTest = components['schemas']['AiProviderTest'];
export type AiUsageEvent = components['schemas']['AiUsageEvent'];
export type AiUsageSeries = components['schemas']['AiUsageSeries'];
export type AiUsageSummary = components['schemas']['AiUsageSummary'];
export type ApiKey = components['schemas']['ApiKey'];
export type Application = components['schemas']['Application'];
export type ApplicationHostname = components['schemas']['ApplicationHostname'];
export type ApplicationSummary = components['schemas']['ApplicationSummary'];
export type AskedScope = components['schemas']['AskedScope'];
export type AskingClient = components['schemas']['AskingClient'];
export type AuditFacets = components['schemas']['AuditFacets'];
export type AuditRecord = components['schemas']['AuditRecord'];
export type BrowserSession = components['schemas']['BrowserSession'];
export type CacheBatch = components['schemas']['CacheBatch'];
export type CacheDeletion = components['schemas']['CacheDeletion'];
export type CacheItem = components['schemas']['CacheItem'];
export type CacheKey = components['schemas']['CacheKey'];
export type CacheStats = components['schemas']['CacheStats'];
export type Consent = components['schemas']['Consent'];
export type ConsentOutcome = components['schemas']['ConsentOutcome'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type CreatedInvitation = components['schemas']['CreatedInvitation'];
export type CreatedOAuthClient = components['schemas']['CreatedOAuthClient'];
export type CreatedSecret = components['schemas']['CreatedSecret'];
export type CreatedStorageUpload = components['schemas']['CreatedStorageUpload'];
export type CurrentSession = components['schemas']['CurrentSession'];
export type Deployment = components['schemas']['Deployment'];
export type DeploymentFile = components['schemas']['DeploymentFile'];
export type DeploymentFunction = components['schemas']['DeploymentFunction'];
export type DeploymentLogLine = components['schemas']['DeploymentLogLine'];
export type DeploymentRoute = components['schemas']['DeploymentRoute'];
export type DeploymentVariable = components['schemas']['DeploymentVariable'];
export type DeviceAuthorization = components['schemas']['DeviceAuthorization'];
export type DeviceOutcome = components['schemas']['DeviceOutcome'];
export type Discovery = components['schemas']['Discovery'];
export type DnsRecord = components['schemas']['DnsRecord'];
export type Domain = components['schemas']['Domain'];
export type DomainAvailability = components['schemas']['DomainAvailability'];
export type DomainExplanation = components['schemas']['DomainExplanation'];
export type DomainReputation = components['schemas']['DomainReputation'];
export type Done = components['schemas']['Done'];
export type EmailReputation = components['schemas']['EmailReputation'];
export type EmailSuggestion = components['schemas']['EmailSuggestion'];
export type EnabledTwoFactor = components['schemas']['EnabledTwoFactor'];
export type EndedSessions = components['schemas']['EndedSessions'];
export type EntitlementCheck = components['schemas']['EntitlementCheck'];
export type EnvVar = components['schemas']['EnvVar'];
export type EnvVarComparison = components['schemas']['EnvVarComparison'];
export type EnvVarCopy = components['schemas']['EnvVarCopy'];
export type EnvVarImport = components['schemas']['EnvVarImport'];
export type EnvVarVersion = components['schemas']['EnvVarVersion'];
export type Environment = components['schemas']['Environment'];
export type EnvironmentProtection = components['schemas']['EnvironmentProtection'];
export type ExplicitEntitlement = components['schemas']['ExplicitEntitlement'];
export type Grant = components['schemas']['Grant'];
export type Health = components['schemas']['Health'];
export type Hostname = components['schemas']['Hostname'];
export type ImageCache = components['schemas']['ImageCache'];
export type InstanceOverview = components['schemas']['InstanceOverview'];
export type InstanceSettings = components['schemas']['InstanceSettings'];
export type InstanceUsage = components['schemas']['InstanceUsage'];
export type Introspection = components['schemas']['Introspection'];
export type Invitation = components['schemas']['Invitation'];
export type JwkSet = components['schemas']['JwkSet'];
export type LabelAvailability = components['schemas']['LabelAvailability'];
export type LogDrain = components['schemas']['LogDrain'];
export type LogDrainTest = components['schemas']['LogDrainTest'];
export type MadeKey = components['schemas']['MadeKey'];
export type Member = components['schemas']['Member'];
export type OAuthClient = components['schemas']['OAuthClient'];
export type OAuthError = components['schemas']['OAuthError'];
export type OpenInvitation = components['schemas']['OpenInvitation'];
export type Organization = components['schemas']['Organization'];
export type Passkey = components['schemas']['Passkey'];
export type PasswordResetLink = components['schemas']['PasswordResetLink'];
export type PasswordStrength = components['schemas']['PasswordStrength'];
export type PeopleDiscovery = components['schemas']['PeopleDiscovery'];
export type Permissions = components['schemas']['Permissions'];
export type Person = components['schemas']['Person'];
export type PersonToken = components['schemas']['PersonToken'];
export type Product = components['schemas']['Product'];
export type ProductAccess = components['schemas']['ProductAccess'];
export type ProviderRedirect = components['schemas']['ProviderRedirect'];
export type PulledEnvVars = components['schemas']['PulledEnvVars'];
export type PurgedCount = components['schemas']['PurgedCount'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type ReputationFeed = components['schemas']['ReputationFeed'];
export type ReputationOverride = components['schemas']['ReputationOverride'];
export type RequestLog = components['schemas']['RequestLog'];
export type RequestLogDetail = components['schemas']['RequestLogDetail'];
export type RequestStats = components['schemas']['RequestStats'];
export type ResolvedEnvVars = components['schemas']['ResolvedEnvVars'];
export type RouteVerdict = components['schemas']['RouteVerdict'];
export type RuntimeCacheEntry = components['schemas']['RuntimeCacheEntry'];
export type ScopeInfo = components['schemas']['ScopeInfo'];
export type SetupState = components['schemas']['SetupState'];
export type SignInAnswer = components['schemas']['SignInAnswer'];
export type SignInOptions = components['schemas']['SignInOptions'];
export type SignedUp = components['schemas']['SignedUp'];
export type StorageAccessUrl = components['schemas']['StorageAccessUrl'];
export type StorageBucket = components['schemas']['StorageBucket'];
export type StorageBucketSettings = components['schemas']['StorageBucketSettings'];
export type StorageCorsRule = components['schemas']['StorageCorsRule'];
export type StorageLifecycleRule = components['schemas']['StorageLifecycleRule'];
export type StorageObject = components['schemas']['StorageObject'];
export type StorageObjectProperties = components['schemas']['StorageObjectProperties'];
export type StorageObjectVersion = components['schemas']['StorageObjectVersion'];
export type StorageUploadSession = components['schemas']['StorageUploadSession'];
export type StorageUsage = components['schemas']['StorageUsage'];
export type StorageWebhookSecret = components['schemas']['StorageWebhookSecret'];
export type Subscription = components['schemas']['Subscription'];
export type Token = components['schemas']['Token'];
export type TotpUri = components['schemas']['TotpUri'];
export type TrashedStorageObject = components['schemas']['TrashedStorageObject'];
export type Usage = components['schemas']['Usage'];
export type UserInfo = components['schemas']['UserInfo'];
export type WaitingDevice = components['schemas']['WaitingDevice'];
export type WhoisContact = components['schemas']['WhoisContact'];
export type WhoisRecord = components['schemas']['WhoisRecord'];
