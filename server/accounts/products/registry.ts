import { readFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** The products that an organization may have access to: the platform's own areas, and what the operator adds. */

const slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 64,
  description: 'Its name in the API.',
});
const displayName = Type.String({ minLength: 1, maxLength: 128 });

const Plan = Type.Object(
  { slug, displayName, description: Type.String({ maxLength: 1024 }) },
  { additionalProperties: false },
);

const accessModes = ['organization', 'user'] as const;
const accessPolicies = ['granted', 'explicit_entitlement_required'] as const;

const ProductEntry = Type.Object(
  {
    slug,
    displayName: Type.Optional(displayName),
    accessMode: Type.Optional(
      Type.Unsafe<(typeof accessModes)[number]>({
        type: 'string',
        enum: accessModes,
        default: 'organization',
        description: 'Products of users are not listed for organizations.',
      }),
    ),
    defaultAccessPolicy: Type.Optional(
      Type.Unsafe<(typeof accessPolicies)[number]>({
        type: 'string',
        enum: accessPolicies,
        default: 'granted',
        description: 'What holds for an organization that has no override.',
      }),
    ),
    plans: Type.Optional(Type.Array(Plan, { maxItems: 100 })),
  },
  { additionalProperties: false },
);

/** The operator's file: MAINSTAY_PRODUCTS_FILE. Its JSON Schema is docs/products.schema.json. */
export const ProductsFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    products: Type.Array(ProductEntry, {
      maxItems: 1000,
      description: "Adds products, and changes what is said of the platform's own.",
    }),
  },
  { additionalProperties: false, title: 'Mainstay products' },
);

export interface Product {
  slug: string;
  displayName: string;
  accessMode: (typeof accessModes)[number];
  defaultAccessPolicy: (typeof accessPolicies)[number];
  plans: readonly Static<typeof Plan>[];
}

export type ProductRegistry = ReadonlyMap<string, Product>;

class ProductsFileError extends Error {
  override name = 'ProductsFileError';
}

/**
 * The registry of this start: our own areas (names by slug), changed and added to by the operator's file. A route names
 * the product that it belongs to: `config: { product: 'fastcache' }`.
 */
export async function readRegistry(
  ownProducts: Readonly<Record<string, string>>,
  file: string | undefined,
): Promise<ProductRegistry> {
  const entries = file === undefined ? [] : await readProductsFile(file);
  const registry = new Map<string, Product>();
  for (const [slug, displayName] of Object.entries(ownProducts)) {
    registry.set(slug, {
      slug,
      displayName,
      accessMode: 'organization',
      defaultAccessPolicy: 'granted',
      plans: [],
    });
  }
  for (const entry of entries) {
    const known = registry.get(entry.slug);
    const { slug } = entry;
    if (known && entry.accessMode === 'user') {
      throw new ProductsFileError(
        `${file}: "${slug}" is an area of the platform; it cannot be a product of users.`,
      );
    }
    registry.set(slug, {
      slug,
      displayName: entry.displayName ?? known?.displayName ?? slug,
      accessMode: entry.accessMode ?? 'organization',
      defaultAccessPolicy: entry.defaultAccessPolicy ?? 'granted',
      plans: entry.plans ?? [],
    });
  }
  return registry;
}

async function readProductsFile(file: string): Promise<Static<typeof ProductsFile>['products']> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new ProductsFileError(`The products file ${file} cannot be read.`, { cause });
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new ProductsFileError(`The products file ${file} is not JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (!Value.Check(ProductsFile, content)) {
    const [first] = Value.Errors(ProductsFile, content);
    const where = first?.instancePath || 'the whole';
    throw new ProductsFileError(`The products file ${file} is wrong at ${where}: ${first?.message}.`);
  }
  const slugs = content.products.map((product) => product.slug);
  const twice = slugs.find((slug, at) => slugs.indexOf(slug) !== at);
  if (twice !== undefined) throw new ProductsFileError(`The products file ${file} has "${twice}" twice.`);
  return content.products;
}
