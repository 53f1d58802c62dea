import { adapterFor } from '../opencode/adapter.ts';
import { mimocodeFamily } from '../opencode/product.ts';

/** MiMo-Code grew out of opencode and keeps the same tables with additions; the shared reader asks which are there. */
export const mimocodeAdapter = adapterFor(mimocodeFamily);
