/** The products whose stores are understood. */
export type Product = 'openclaw' | 'opencode' | 'mimocode' | 'hermes';

export const products: readonly Product[] = ['openclaw', 'opencode', 'mimocode', 'hermes'];

/** How a store lies on disk. */
export type Layout = 'jsonl' | 'sqlite' | 'json';

/** The name a person knows the product by. */
export const productNames: Record<Product, string> = {
  openclaw: 'OpenClaw',
  opencode: 'opencode',
  mimocode: 'MiMo-Code',
  hermes: 'Hermes Agent',
};

export function isProduct(text: string): text is Product {
  return (products as readonly string[]).includes(text);
}
