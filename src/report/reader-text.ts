import { productNames, type Product } from '../model/product.ts';

/** A reader for people: `opencode 1.18.14`; where the store does not tell, `OpenClaw of unknown version`. Not yet escaped. */
export function readerText(reader: string): string {
  const at = reader.indexOf('@');
  if (at === -1) return reader;
  const product = reader.slice(0, at);
  const version = reader.slice(at + 1);
  const name = Object.hasOwn(productNames, product) ? productNames[product as Product] : product;
  return version === 'unknown' ? `${name} of unknown version` : `${name} ${version}`;
}
