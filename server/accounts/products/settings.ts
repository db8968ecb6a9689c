import { text } from '#core/settings.ts';

export const productSettings = {
  productsFile: text({
    name: 'MAINSTAY_PRODUCTS_FILE',
    meaning:
      "JSON file that adds products to the registry and changes the platform's own; see docs/products.md and " +
      'docs/products.schema.json.',
    shown: 'none',
  }),
};
